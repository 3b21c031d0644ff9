/* Replaces what fits a pattern in each line: replace PATTERN BY. A pattern has letters, `?` for any letter, classes such
 * as [a-c] and [^ab], `*` after one of them, `%` for the beginning and `$` for the end of a line, and `@` before a letter
 * that is meant. In the replacement `&` is what was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLINE 200
#define MAXPARTS 60
#define MAXSET 80

enum kind { LETTER, ANY, SET, NOT_SET, BEGIN, FINISH };

struct part {
    enum kind kind;
    int letter;
    int is_many;
    char set[MAXSET];
};

static struct part parts[MAXPARTS];
static int count;
static char by[MAXLINE];
static int has_found[MAXLINE];
static int by_length;

static void fail(text)
char *text;
{
    printf("%s\n", text);
    exit(2);
}

/* The letter that is meant at a place, which goes on behind it. */
static int meant(text, at)
char *text;
int *at;
{
    int letter = text[*at];
    if (letter == '@' && text[*at + 1] != '\0') {
        (*at)++;
        letter = text[*at];
        if (letter == 't')
            letter = '\t';
        else if (letter == 'n')
            letter = '\n';
    }
    (*at)++;
    return letter;
}

static int read_set(pattern, at, part)
char *pattern;
int at;
struct part *part;
{
    int size = 0, first, last;
    part->kind = SET;
    if (pattern[at] == '^') {
        part->kind = NOT_SET;
        at++;
    }
    while (pattern[at] != ']') {
        if (pattern[at] == '\0')
            fail("the class is not closed");
        first = meant(pattern, &at);
        if (pattern[at] == '-' && pattern[at + 1] != ']' && pattern[at + 1] != '\0') {
            at++;
            last = meant(pattern, &at);
            while (first < last && size < MAXSET - 1)
                part->set[size++] = first++;
        }
        if (size < MAXSET - 1)
            part->set[size++] = first;
    }
    part->set[size] = '\0';
    return at + 1;
}

static void read_pattern(pattern)
char *pattern;
{
    int at = 0;
    while (pattern[at] != '\0') {
        struct part *part = &parts[count];
        if (count >= MAXPARTS)
            fail("the pattern is too long");
        if (pattern[at] == '*' && count > 0 && !parts[count - 1].is_many && parts[count - 1].kind != BEGIN) {
            parts[count - 1].is_many = 1;
            at++;
            continue;
        }
        if (pattern[at] == '%' && at == 0) {
            part->kind = BEGIN;
            at++;
        } else if (pattern[at] == '$' && pattern[at + 1] == '\0') {
            part->kind = FINISH;
            at++;
        } else if (pattern[at] == '?') {
            part->kind = ANY;
            at++;
        } else if (pattern[at] == '[')
            at = read_set(pattern, at + 1, part);
        else {
            part->kind = LETTER;
            part->letter = meant(pattern, &at);
        }
        count++;
    }
}

static void read_by(text)
char *text;
{
    int at = 0;
    while (text[at] != '\0') {
        if (text[at] == '&') {
            has_found[by_length] = 1;
            by[by_length++] = '&';
            at++;
        } else
            by[by_length++] = meant(text, &at);
    }
}

static int fits_one(part, line, at)
struct part *part;
char *line;
int at;
{
    if (line[at] == '\0')
        return 0;
    switch (part->kind) {
    case LETTER:
        return line[at] == part->letter;
    case ANY:
        return 1;
    case SET:
        return strchr(part->set, line[at]) != NULL;
    case NOT_SET:
        return strchr(part->set, line[at]) == NULL;
    default:
        return 0;
    }
}

/* The place behind what fits the parts from one on, or -1. */
static int fits(line, at, from)
char *line;
int at, from;
{
    struct part *part;
    int end, found;
    if (from == count)
        return at;
    part = &parts[from];
    if (part->kind == BEGIN)
        return at == 0 ? fits(line, at, from + 1) : -1;
    if (part->kind == FINISH)
        return line[at] == '\0' ? fits(line, at, from + 1) : -1;
    if (!part->is_many)
        return fits_one(part, line, at) ? fits(line, at + 1, from + 1) : -1;
    for (end = at; fits_one(part, line, end); end++)
        ;
    for (; end >= at; end--) {
        found = fits(line, end, from + 1);
        if (found >= 0)
            return found;
    }
    return -1;
}

static void put_by(line, from, to)
char *line;
int from, to;
{
    int place, at;
    for (place = 0; place < by_length; place++) {
        if (!has_found[place]) {
            putchar(by[place]);
            continue;
        }
        for (at = from; at < to; at++)
            putchar(line[at]);
    }
}

static int change(line)
char *line;
{
    int at = 0, last = -1, end, changes = 0;
    while (line[at] != '\0' || last != at) {
        end = fits(line, at, 0);
        if (end >= 0 && end != last) {
            put_by(line, at, end);
            changes++;
            last = end;
        }
        if (line[at] == '\0')
            break;
        if (end < 0 || end == at) {
            putchar(line[at]);
            at++;
        } else
            at = end;
    }
    putchar('\n');
    return changes;
}

int main(argc, argv)
int argc;
char *argv[];
{
    char line[MAXLINE];
    int changes = 0;
    if (argc != 3)
        fail("usage: replace PATTERN BY");
    if (strlen(argv[2]) >= MAXLINE)
        fail("the replacement is too long");
    read_pattern(argv[1]);
    if (count == 0)
        fail("the pattern is empty");
    read_by(argv[2]);
    while (fgets(line, MAXLINE, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        changes += change(line);
    }
    return changes > 0 ? 0 : 1;
}
