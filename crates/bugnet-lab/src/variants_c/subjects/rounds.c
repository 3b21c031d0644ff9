/* A scheduler in rounds: processes arrive, run for slices by weight, wait for devices, and are told when they are done.
 * rounds SLICE reads lines such as `spawn 3 10`, `run 4`, `wait 2 disk`, `done disk`, `show`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 30
#define NAME 16
#define FREE 0
#define READY 1
#define WAITING 2
#define OVER 3

struct process {
    int state;
    int weight;
    int left;
    int waited;
    char device[NAME];
};

static struct process table[MOST];
static int used;
static int clock_now;
static int turn;
static int slice = 2;

static int spawn(int weight, int work)
{
    struct process *process;
    if (used >= MOST)
        return -1;
    if (weight < 1)
        weight = 1;
    if (weight > 5)
        weight = 5;
    process = &table[used];
    process->state = work > 0 ? READY : OVER;
    process->weight = weight;
    process->left = work;
    process->waited = 0;
    return used++;
}

/* The next process that is ready, from the turn on; one that has waited long goes first. */
static int choose(void)
{
    int step, best = -1;
    for (step = 0; step < used; step++) {
        int number = (turn + step) % used;
        if (table[number].state != READY)
            continue;
        if (best < 0)
            best = number;
        else if (table[number].waited >= 10 && table[number].waited > table[best].waited)
            best = number;
    }
    return best;
}

static void age(int chosen, int time)
{
    int number;
    for (number = 0; number < used; number++)
        if (number != chosen && table[number].state == READY)
            table[number].waited += time;
}

static void run(int rounds)
{
    while (rounds-- > 0) {
        int chosen = choose(), time;
        struct process *process;
        if (chosen < 0) {
            clock_now++;
            continue;
        }
        process = &table[chosen];
        time = slice * process->weight;
        if (time > process->left)
            time = process->left;
        process->left -= time;
        process->waited = 0;
        clock_now += time;
        age(chosen, time);
        turn = chosen + 1;
        if (process->left == 0) {
            process->state = OVER;
            printf("%d: %d is over\n", clock_now, chosen);
        }
    }
}

static void wait_for(int number, const char *device)
{
    if (number < 0 || number >= used || table[number].state != READY) {
        printf("%d cannot wait\n", number);
        return;
    }
    table[number].state = WAITING;
    strncpy(table[number].device, device, NAME - 1);
    table[number].device[NAME - 1] = '\0';
}

/* A device is done: whoever waits for it goes on, and is a little heavier for a while. */
static void done(const char *device)
{
    int number, woken = 0;
    for (number = 0; number < used; number++) {
        struct process *process = &table[number];
        if (process->state != WAITING || strcmp(process->device, device) != 0)
            continue;
        process->state = READY;
        process->device[0] = '\0';
        if (process->weight < 5)
            process->weight++;
        woken++;
    }
    if (woken == 0)
        printf("nobody waits for %s\n", device);
    else if (woken > 1)
        printf("%d go on\n", woken);
}

static void end(int number)
{
    if (number < 0 || number >= used || table[number].state == OVER)
        return;
    printf("%d ends with %d left\n", number, table[number].left);
    table[number].state = OVER;
    table[number].left = 0;
}

static void show(void)
{
    static const char *states[] = { "free", "ready", "waiting", "over" };
    int number;
    for (number = 0; number < used; number++) {
        struct process *process = &table[number];
        if (process->state == OVER)
            continue;
        printf("%d %s weight %d left %d", number, states[process->state], process->weight, process->left);
        if (process->state == WAITING)
            printf(" for %s", process->device);
        if (process->waited >= 10)
            printf(" hungry");
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    char line[80], word[80], device[80];
    int one, two, fields, ready = 0, number;
    if (argc > 1)
        slice = atoi(argv[1]);
    if (slice < 1) {
        fprintf(stderr, "a slice of %d is no slice\n", slice);
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        fields = sscanf(line, "%79s", word);
        if (fields < 1 || word[0] == '#')
            continue;
        if (strcmp(word, "spawn") == 0 && sscanf(line, "%*s %d %d", &one, &two) == 2) {
            if (spawn(one, two) < 0)
                printf("full\n");
        } else if (strcmp(word, "run") == 0) {
            if (sscanf(line, "%*s %d", &one) != 1)
                one = 1;
            run(one);
        } else if (strcmp(word, "wait") == 0 && sscanf(line, "%*s %d %79s", &one, device) == 2)
            wait_for(one, device);
        else if (strcmp(word, "done") == 0 && sscanf(line, "%*s %79s", device) == 1)
            done(device);
        else if (strcmp(word, "end") == 0 && sscanf(line, "%*s %d", &one) == 1)
            end(one);
        else if (strcmp(word, "show") == 0)
            show();
        else
            printf("what is %s?\n", word);
    }
    for (number = 0; number < used; number++)
        if (table[number].state == READY)
            ready++;
    printf("clock %d, %d ready\n", clock_now, ready);
    return ready > 0;
}
