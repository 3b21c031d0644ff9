/* A scheduler with three queues of waiting jobs: queues N1 N2 N3 begins with jobs in them, and reads commands. */
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 3
#define NEW_JOB 1
#define UPGRADE 2
#define BLOCK 3
#define UNBLOCK 4
#define QUANTUM 5
#define FINISH 6
#define FLUSH 7

struct job {
    struct job *next;
    int number;
    int level;
    int used;
};

struct queue {
    struct job *first;
    int length;
};

static struct queue ready[LEVELS + 1];
static struct queue blocked;
static struct job *current;
static int made, finished;

static void append(queue, job)
struct queue *queue;
struct job *job;
{
    struct job **place = &queue->first;
    while (*place)
        place = &(*place)->next;
    *place = job;
    job->next = NULL;
    queue->length++;
}

/* Takes out the job at a place; the first is 0. */
static struct job *take(queue, place)
struct queue *queue;
int place;
{
    struct job **at = &queue->first, *found;
    if (place < 0 || place >= queue->length)
        return NULL;
    while (place-- > 0)
        at = &(*at)->next;
    found = *at;
    *at = found->next;
    found->next = NULL;
    queue->length--;
    return found;
}

/* The place that a ratio of a length means. */
static int place_of(ratio, length)
double ratio;
int length;
{
    int place = (int)(ratio * length);
    if (ratio < 0.0 || ratio > 1.0)
        return -1;
    if (place >= length)
        place = length - 1;
    return place;
}

static void schedule()
{
    int level;
    if (current)
        return;
    for (level = LEVELS; level > 0; level--) {
        current = take(&ready[level], 0);
        if (current)
            return;
    }
}

static void new_job(level)
int level;
{
    struct job *job;
    if (level < 1 || level > LEVELS) {
        printf("no level %d\n", level);
        return;
    }
    job = (struct job *)malloc(sizeof(struct job));
    job->number = ++made;
    job->level = level;
    job->used = 0;
    append(&ready[level], job);
    if (current && level > current->level) {
        append(&ready[current->level], current);
        current = NULL;
    }
    schedule();
}

static void upgrade(level, ratio)
int level;
double ratio;
{
    struct job *job;
    if (level < 1 || level >= LEVELS)
        return;
    job = take(&ready[level], place_of(ratio, ready[level].length));
    if (!job)
        return;
    job->level = level + 1;
    append(&ready[job->level], job);
    if (current && job->level > current->level) {
        append(&ready[current->level], current);
        current = NULL;
        schedule();
    }
}

static void block()
{
    if (!current)
        return;
    append(&blocked, current);
    current = NULL;
    schedule();
}

static void unblock(ratio)
double ratio;
{
    struct job *job = take(&blocked, place_of(ratio, blocked.length));
    if (!job)
        return;
    job->used = 0;
    append(&ready[job->level], job);
    if (current && current->level < job->level) {
        append(&ready[current->level], current);
        current = NULL;
    }
    schedule();
}

/* A quantum is used up; who has had three of them goes down a level. */
static void quantum()
{
    struct job *job = current;
    if (!job)
        return;
    job->used++;
    if (job->used >= 3 && job->level > 1) {
        job->level--;
        job->used = 0;
    }
    current = NULL;
    append(&ready[job->level], job);
    schedule();
}

static void finish()
{
    if (!current)
        return;
    printf("%d ", current->number);
    free(current);
    current = NULL;
    finished++;
    schedule();
}

static void flush()
{
    while (current)
        finish();
    printf("\n");
}

int main(argc, argv)
int argc;
char *argv[];
{
    int level, command, given;
    double ratio;
    if (argc != LEVELS + 1) {
        printf("usage: queues LOW MIDDLE HIGH\n");
        return 2;
    }
    for (level = LEVELS; level > 0; level--)
        for (given = atoi(argv[LEVELS + 1 - level]); given > 0; given--)
            new_job(level);
    while (scanf("%d", &command) == 1) {
        switch (command) {
        case NEW_JOB:
            if (scanf("%d", &level) == 1)
                new_job(level);
            break;
        case UPGRADE:
            if (scanf("%d%lf", &level, &ratio) == 2)
                upgrade(level, ratio);
            break;
        case BLOCK:
            block();
            break;
        case UNBLOCK:
            if (scanf("%lf", &ratio) == 1)
                unblock(ratio);
            break;
        case QUANTUM:
            quantum();
            break;
        case FINISH:
            finish();
            break;
        case FLUSH:
            flush();
            break;
        default:
            printf("what? ");
        }
    }
    printf("made %d, finished %d, blocked %d\n", made, finished, blocked.length);
    return 0;
}
