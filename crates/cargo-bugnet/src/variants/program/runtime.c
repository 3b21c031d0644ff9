/* The runtime of a mutated program: it is linked with the program, whose `main`, `exit` and `malloc` it wraps.
 *
 * Without BUGNET_TESTS the program runs once, with the switches of BUGNET_SWITCHES. With it, the program runs its
 * tests and answers jobs: a job is a set of switches and the tests to run with them. A fork runs many tests one after
 * another; between two of them the data of the program and its heap are made as they were at first.
 *
 * Invariant: a difference counts only if the test was the first of a fresh fork, so no test sees what another has
 * left behind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef BUGNET_SITES
#define BUGNET_SITES 1
#endif

/* Steps that a mutant may take in any case, and the factor by which it may take more than the original. */
#define STEPS 300000L
#define SLOWER 20L
/* Steps of the original before it counts as endless: minutes of a program of ours. */
#define MOST_STEPS 2000000000L
/* Seconds that a test may wait for something; no test of ours waits. */
#define WAIT 10
/* Milliseconds between two looks at a fork, and the looks in a row without work after which it counts as hung: a lock
 * that a mutant has broken is held for ever. A fork that only waits for the processor gets some of it in that time. */
#define LOOK 300
#define IDLE 10
/* Nanoseconds of the processor that are no work, and that the original may wait before it is one that waits. */
#define NO_WORK 1000L
#define WAITS 50000000L
/* Bytes that a mutant may print in any case, besides the factor. */
#define PRINTED (256L << 10)
/* Bytes of standard output, and of standard error, that are compared. */
#define OUTPUT (8L << 20)
/* Bytes of the stack that are zero when the program begins, so that what it forgets to set is the same each time. */
#define STACK (128 << 10)
/* Bytes of the heap that tests share; what does not fit comes from the C library. */
#define HEAP (256UL << 20)
/* Blocks up to this many bytes are used again once they are free. */
#define REUSED 4096
/* The first descriptor that is closed after a test: the program has opened it. */
#define OPENED 40

/* Known to the mutated code, too. */
struct bugnet_state {
    long fuel;
    unsigned short on[BUGNET_SITES];
    unsigned char seen[BUGNET_SITES];
};

enum verdict { RUNNING, DONE, DIFFERS, OUT_OF_FUEL };

/* How a test has ended: `end` is an exit code, or a signal and 256. */
struct outcome {
    int end;
    long length[2];
    uint64_t hash[2];
    long fuel;
};

struct test {
    int count;
    char **words;
    size_t *sizes;
    const char *input;
    struct outcome wanted;
    unsigned char *reach;
    int is_deadly, waits;
};

/* Seen by the fork and by whoever waits for it. */
struct shared {
    volatile int at;
    volatile int verdict;
    /* Nonzero if the original waits on this test, too. */
    volatile int waits;
    struct bugnet_state state;
};

/* All that must survive when the data of the program is restored. */
struct home {
    struct shared *shared;
    struct test *tests;
    int count, is_alone, folder;
    char *views[2];
    char *data, *kept, *heap;
    size_t size, used;
    void *free_blocks[REUSED / 16 + 1];
    jmp_buf end;
    sigset_t mask;
    int is_inside, code;
    char buffers[3][4096];
    FILE *results;
    int *order, *list;
    int killer;
    int *killers;
};

static struct bugnet_state at_first = {MOST_STEPS, {0}, {0}};
struct bugnet_state *bugnet_state = &at_first;
static struct home *home;

extern int __real_main(int, char **, char **);
extern void __real_exit(int) __attribute__((noreturn));
extern void __real__exit(int) __attribute__((noreturn));
extern void *__real_malloc(size_t);
extern void *__real_realloc(void *, size_t);
extern void __real_free(void *);
extern int __real_fclose(FILE *);
extern char __data_start, _end;

/* Called by the mutated code when its steps are used up. */
void bugnet_out(void) {
    if (home) {
        home->shared->verdict = OUT_OF_FUEL;
    } else {
        static const char said[] = "bugnet: out of steps\n";
        if (write(2, said, sizeof said - 1)) {}
    }
    __real__exit(98);
}

/* ---- The heap: zero at first, the same addresses in every test. ---- */

static int is_ours(void *block) {
    return home && (char *)block >= home->heap && (char *)block < home->heap + HEAP;
}

void *__wrap_malloc(size_t size) {
    size_t whole = (size + 31) & ~(size_t)15, class = whole / 16;
    char *block;
    if (!home || !home->is_inside || size > HEAP) return __real_malloc(size);
    if (whole <= REUSED && home->free_blocks[class]) {
        block = home->free_blocks[class];
        home->free_blocks[class] = *(void **)block;
        return block;
    }
    if (home->used + whole > HEAP) return __real_malloc(size);
    block = home->heap + home->used + 16;
    *(size_t *)(block - 16) = size;
    home->used += whole;
    return block;
}

void __wrap_free(void *block) {
    size_t class;
    if (!is_ours(block)) {
        __real_free(block);
        return;
    }
    class = ((((size_t *)block)[-2] + 31) & ~(size_t)15) / 16;
    if (class > REUSED / 16) return;
    *(void **)block = home->free_blocks[class];
    home->free_blocks[class] = block;
}

void *__wrap_calloc(size_t count, size_t size) {
    void *block;
    if (size && count > (size_t)-1 / size) return NULL;
    block = __wrap_malloc(count * size);
    if (block) memset(block, 0, count * size);
    return block;
}

void *__wrap_realloc(void *block, size_t size) {
    void *larger;
    size_t known;
    if (!block) return __wrap_malloc(size);
    if (!is_ours(block)) return __real_realloc(block, size);
    known = ((size_t *)block)[-2];
    larger = __wrap_malloc(size);
    if (larger) memcpy(larger, block, known < size ? known : size);
    __wrap_free(block);
    return larger;
}

/* ---- The end of a test, and the beginning of the next. ---- */

void __wrap_exit(int code) {
    if (!home || !home->is_inside) __real_exit(code);
    home->code = code & 255;
    longjmp(home->end, 1);
}

void __wrap__exit(int code) {
    if (!home || !home->is_inside) __real__exit(code);
    __fpurge(stdout);
    home->code = code & 255;
    longjmp(home->end, 1);
}

/* The streams of the process are used by the next test. */
int __wrap_fclose(FILE *file) {
    int is_standard = file == stdin || file == stdout || file == stderr;
    if (!home || !is_standard) return __real_fclose(file);
    return file == stdin ? 0 : fflush(file);
}

static __attribute__((noinline)) void zero_stack(void) {
    volatile char below[STACK];
    memset((void *)below, 0, STACK);
    __asm__ volatile("" : : "r"(below) : "memory");
}

static void restore(void) {
    memcpy(home->data, home->kept, home->size);
    memset(home->heap, 0, home->used);
    home->used = 0;
    memset(home->free_blocks, 0, sizeof home->free_blocks);
    __fpurge(stdin);
    clearerr(stdin);
    clearerr(stdout);
    clearerr(stderr);
    close_range(OPENED, ~0U, 0);
    if (fchdir(home->folder)) {}
}

static long nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Sets the clock of a test, and the size of what it may print. */
static void limit(struct test *test, int learns) {
    struct itimerval wait = {{0, 0}, {WAIT, 0}};
    struct rlimit size;
    long longest = test->wanted.length[0] > test->wanted.length[1] ? test->wanted.length[0] : test->wanted.length[1];
    home->shared->waits = learns || test->waits;
    setitimer(ITIMER_REAL, &wait, NULL);
    getrlimit(RLIMIT_FSIZE, &size);
    size.rlim_cur = learns ? OUTPUT : SLOWER * longest + PRINTED;
    if (size.rlim_cur > size.rlim_max) size.rlim_cur = size.rlim_max;
    setrlimit(RLIMIT_FSIZE, &size);
}

static void begin(struct test *test, int learns) {
    struct bugnet_state *state = &home->shared->state;
    int descriptor = open(test->input ? test->input : "/dev/null", O_RDONLY);
    if (descriptor < 0) descriptor = open("/dev/null", O_RDONLY);
    dup2(descriptor, 0);
    close(descriptor);
    lseek(1, 0, SEEK_SET);
    lseek(2, 0, SEEK_SET);
    srand(1);
    state->fuel = test->wanted.fuel ? SLOWER * test->wanted.fuel + STEPS : MOST_STEPS;
    memset(state->seen, 0, sizeof state->seen);
    limit(test, learns);
}

static int call_main(struct test *test) {
    char **words = __wrap_calloc(test->count + 2, sizeof *words);
    int word;
    for (word = 0; word < test->count; word++) {
        words[word] = __wrap_malloc(test->sizes[word]);
        memcpy(words[word], test->words[word], test->sizes[word]);
    }
    zero_stack();
    return __real_main(test->count, words, environ) & 255;
}

/* Runs a test in this process and returns its exit code. */
static int run(struct test *test, int learns) {
    begin(test, learns);
    home->is_inside = 1;
    if (!setjmp(home->end)) home->code = call_main(test);
    home->is_inside = 0;
    fflush(stdout);
    fflush(stderr);
    return home->code;
}

static void observe(struct outcome *seen, int end) {
    int stream;
    seen->end = end;
    seen->fuel = 0;
    for (stream = 0; stream < 2; stream++) {
        long length = lseek(1 + stream, 0, SEEK_CUR), place, compared = length < OUTPUT ? length : OUTPUT;
        uint64_t hash = 0xcbf29ce484222325u;
        for (place = 0; place < compared; place++)
            hash = (hash ^ (unsigned char)home->views[stream][place]) * 0x100000001b3u;
        seen->length[stream] = length;
        seen->hash[stream] = hash;
    }
}

static int is_same(const struct outcome *one, const struct outcome *other) {
    return one->end == other->end && !memcmp(one->length, other->length, sizeof one->length)
           && !memcmp(one->hash, other->hash, sizeof one->hash);
}

/* ---- Forks. ---- */

/* Runs tests until one differs or all have run; `learn` hears every outcome instead of comparing it. */
static void child(const int *list, int count, int learns) {
    int place;
    for (place = 0; place < count; place++) {
        struct test *test = &home->tests[list[place]];
        struct outcome seen;
        long time;
        if (place) restore();
        home->shared->at = place;
        time = nanoseconds(CLOCK_MONOTONIC) - nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
        observe(&seen, run(test, learns));
        if (learns) {
            time = nanoseconds(CLOCK_MONOTONIC) - nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - time;
            test->waits = time > WAITS;
            seen.fuel = MOST_STEPS - home->shared->state.fuel;
            test->wanted = seen;
            memcpy(test->reach, home->shared->state.seen, BUGNET_SITES);
        } else if (!is_same(&seen, &test->wanted)) {
            home->shared->verdict = DIFFERS;
            __real__exit(0);
        }
    }
    home->shared->at = count;
    home->shared->verdict = DONE;
    __real__exit(0);
}

/* Waits for a fork, and ends it if it has done nothing between several looks. */
static int waited(pid_t process) {
    struct timespec look = {0, LOOK * 1000000L}, now;
    long worked = 0, before = 0;
    int status = 0, idle = 0;
    clockid_t clock;
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (sigtimedwait(&children, NULL, &look) >= 0) continue;
        if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &now)) continue;
        worked = now.tv_sec * 1000000000L + now.tv_nsec;
        idle = worked - before < NO_WORK && !home->shared->waits ? idle + 1 : 0;
        before = worked;
        if (idle >= IDLE) kill(process, SIGKILL);
    }
    return idle >= IDLE ? 256 + SIGALRM : WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Forks, waits, and returns how the fork has ended. */
static int forked(const int *list, int count, int learns) {
    pid_t process;
    home->shared->at = 0;
    home->shared->verdict = RUNNING;
    process = fork();
    if (process < 0) {
        fprintf(home->results, "broken no process can be started\n");
        __real_exit(3);
    }
    if (!process) {
        sigprocmask(SIG_SETMASK, &home->mask, NULL);
        child(list, count, learns);
    }
    return waited(process);
}

/* Runs tests with the switches as they are; returns the place of the first that differs, or `count`. */
static int first_difference(const int *list, int count, const char **why) {
    int from = 0;
    while (from < count) {
        int end = forked(list + from, home->is_alone ? 1 : count - from, 0), at = home->shared->at;
        struct outcome seen;
        switch (home->shared->verdict) {
        case DONE: from += at; continue;
        case DIFFERS: *why = "output"; break;
        case OUT_OF_FUEL: *why = "endless"; break;
        default:
            observe(&seen, end);
            if (is_same(&seen, &home->tests[list[from + at]].wanted)) {
                from += at + 1;
                continue;
            }
            *why = end == 256 + SIGALRM ? "endless" : end > 256 ? "signal" : "output";
        }
        if (!at) return from;
        from += at;
    }
    return count;
}

/* Learns what every test does with all switches off. */
static void learn(void) {
    int *list = home->list, from = 0, test;
    for (test = 0; test < home->count; test++) list[test] = test;
    while (from < home->count) {
        int end = forked(list + from, home->is_alone ? 1 : home->count - from, 1), at = home->shared->at;
        struct test *last = &home->tests[from + at];
        if (home->shared->verdict == DONE) {
            from += at;
            continue;
        }
        observe(&last->wanted, home->shared->verdict == OUT_OF_FUEL ? 256 + SIGALRM : end);
        last->wanted.fuel = MOST_STEPS - home->shared->state.fuel;
        memcpy(last->reach, home->shared->state.seen, BUGNET_SITES);
        last->is_deadly = 1;
        from += at + 1;
    }
    for (test = 0; test < home->count; test++) {
        struct outcome *seen = &home->tests[test].wanted;
        fprintf(home->results, "test %d %ld %ld %016lx %ld %016lx\n", seen->end, seen->fuel, seen->length[0],
                (unsigned long)seen->hash[0], seen->length[1], (unsigned long)seen->hash[1]);
    }
}

/* ---- Jobs. ---- */

static int is_before(int one, int other) {
    struct test *first = &home->tests[one], *second = &home->tests[other];
    if (first->is_deadly != second->is_deadly) return second->is_deadly;
    if (first->wanted.fuel != second->wanted.fuel) return first->wanted.fuel < second->wanted.fuel;
    return one < other;
}

static int compared(const void *one, const void *other) {
    return is_before(*(const int *)one, *(const int *)other) ? -1 : 1;
}

/* Reads switches such as `3:1,9:2`, puts them on or off, and returns what follows them. */
static char *switched(char *text, struct bugnet_state *state, int is_on) {
    while (*text && *text != ' ' && *text != '\n') {
        long site = strtol(text, &text, 10), value = 0;
        if (*text == ':') value = strtol(text + 1, &text, 10);
        if (site >= 0 && site < BUGNET_SITES) state->on[site] = is_on ? value : 0;
        if (*text == ',') text++;
        else break;
    }
    return text;
}

static int reaches(int test, char *text) {
    while (*text && *text != ' ' && *text != '\n') {
        long site = strtol(text, &text, 10);
        if (site >= 0 && site < BUGNET_SITES && home->tests[test].reach[site]) return 1;
        while (*text && *text != ',' && *text != ' ' && *text != '\n') text++;
        if (*text == ',') text++;
    }
    return 0;
}

/* Fills the list with the tests of a job that reach one of its sites; the last killer comes first. */
static int chosen(char *switches, char *tests) {
    int count = 0, place, killer = -1;
    long site = strtol(switches, NULL, 10);
    if (site >= 0 && site < BUGNET_SITES) killer = home->killers[site];
    if (killer < 0) killer = home->killer;
    if (*tests == '*') {
        for (place = 0; place < home->count; place++)
            if (reaches(home->order[place], switches)) home->list[count++] = home->order[place];
    } else {
        while (*tests >= '0' && *tests <= '9') {
            int test = strtol(tests, &tests, 10);
            if (test < home->count && reaches(test, switches)) home->list[count++] = test;
            if (*tests == ',') tests++;
        }
    }
    for (place = 1; place < count; place++)
        if (home->list[place] == killer) {
            memmove(home->list + 1, home->list, place * sizeof(int));
            home->list[0] = killer;
        }
    return count;
}

/* Answers `first SWITCHES TESTS`: the first test that differs; or `every SWITCHES TESTS`: all that do. */
static void answer(char *line) {
    int is_every = !strncmp(line, "every ", 6), count, from = 0, found = 0;
    char *switches = line + 6, *tests;
    struct bugnet_state *state = &home->shared->state;
    const char *why = "";
    tests = switched(switches, state, 1);
    count = chosen(switches, *tests ? tests + 1 : tests);
    if (!count) fprintf(home->results, "unreached");
    while (from < count) {
        int place = from + first_difference(home->list + from, count - from, &why);
        if (place >= count) break;
        if (!is_every) {
            long site = strtol(switches, NULL, 10);
            home->killer = home->list[place];
            if (site >= 0 && site < BUGNET_SITES) home->killers[site] = home->killer;
        }
        fprintf(home->results, found++ ? ",%d" : is_every ? "differs %d" : "killed %d", home->list[place]);
        if (!is_every) fprintf(home->results, " %s", why);
        from = is_every ? place + 1 : count;
    }
    if (count && !found) fprintf(home->results, "live");
    fprintf(home->results, "\n");
    fflush(home->results);
    switched(switches, state, 0);
}

/* ---- Beginning. ---- */

static void *mapped(size_t size, int flags) {
    void *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (found == MAP_FAILED) __real_exit(4);
    return found;
}

static FILE *opened(const char *variable, const char *mode) {
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, mode) : NULL;
    if (!file) __real_exit(5);
    return file;
}

static uint32_t number(FILE *file) {
    uint32_t value = 0;
    if (fread(&value, sizeof value, 1, file) != 1) __real_exit(6);
    return value;
}

static char *text(FILE *file, size_t *size) {
    uint32_t length = number(file);
    char *found = __real_malloc(length + 1);
    if (!found || fread(found, 1, length, file) != length) __real_exit(6);
    found[length] = 0;
    if (size) *size = length + 1;
    return found;
}

/* Reads the tests: for each its words, and the path of its standard input or nothing. */
static void read_tests(struct home *at) {
    FILE *file = opened("BUGNET_TESTS", "rb");
    int test, word;
    at->count = number(file);
    at->tests = mapped((at->count + 1) * sizeof *at->tests, MAP_SHARED);
    for (test = 0; test < at->count; test++) {
        struct test *own = &at->tests[test];
        own->count = number(file);
        own->words = __real_malloc((own->count + 1) * sizeof *own->words);
        own->sizes = __real_malloc((own->count + 1) * sizeof *own->sizes);
        for (word = 0; word < own->count; word++) own->words[word] = text(file, &own->sizes[word]);
        own->input = text(file, NULL);
        if (!*own->input) own->input = NULL;
        own->reach = mapped(BUGNET_SITES, MAP_SHARED);
    }
    __real_fclose(file);
}

/* Makes a file without a name for a stream, and a view of it. */
static char *captured(int stream) {
    int descriptor = memfd_create("bugnet", 0);
    char *view;
    if (descriptor < 0 || ftruncate(descriptor, OUTPUT) < 0) __real_exit(4);
    view = mmap(NULL, OUTPUT, PROT_READ, MAP_SHARED, descriptor, 0);
    if (view == MAP_FAILED) __real_exit(4);
    dup2(descriptor, stream);
    close(descriptor);
    return view;
}

static void serve(void) {
    struct home *at = mapped(sizeof *at, MAP_PRIVATE);
    FILE *jobs = opened("BUGNET_JOBS", "r");
    char *line = NULL;
    size_t size = 0;
    sigset_t children;
    int place;
    at->results = opened("BUGNET_RESULTS", "w");
    at->is_alone = getenv("BUGNET_ALONE") != NULL;
    at->shared = mapped(sizeof *at->shared, MAP_SHARED);
    at->folder = open(".", O_RDONLY | O_DIRECTORY);
    at->heap = mapped(HEAP, MAP_PRIVATE);
    read_tests(at);
    at->list = mapped((at->count + 1) * sizeof(int), MAP_PRIVATE);
    at->order = mapped((at->count + 1) * sizeof(int), MAP_PRIVATE);
    at->killers = mapped((BUGNET_SITES + 1) * sizeof(int), MAP_PRIVATE);
    at->killer = -1;
    for (place = 0; place < BUGNET_SITES; place++) at->killers[place] = -1;
    at->views[0] = captured(1);
    at->views[1] = captured(2);
    setvbuf(stdin, at->buffers[0], _IOFBF, sizeof at->buffers[0]);
    setvbuf(stdout, at->buffers[1], _IOFBF, sizeof at->buffers[1]);
    unsetenv("BUGNET_TESTS");
    bugnet_state = &at->shared->state;
    home = at;
    at->data = &__data_start;
    at->size = &_end - &__data_start;
    at->kept = mapped(at->size, MAP_PRIVATE);
    memcpy(at->kept, at->data, at->size);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, &at->mask);
    learn();
    for (place = 0; place < at->count; place++) at->order[place] = place;
    qsort(at->order, at->count, sizeof(int), compared);
    fprintf(at->results, "learned\n");
    fflush(at->results);
    while (getline(&line, &size, jobs) > 0) answer(line);
    fprintf(at->results, "done\n");
    fflush(at->results);
    __real__exit(0);
}

int __wrap_main(int count, char **words, char **variables) {
    char *switches = getenv("BUGNET_SWITCHES"), *steps = getenv("BUGNET_STEPS");
    if (getenv("BUGNET_TESTS")) serve();
    if (switches) switched(switches, bugnet_state, 1);
    if (steps) bugnet_state->fuel = atol(steps);
    zero_stack();
    return __real_main(count, words, variables);
}
