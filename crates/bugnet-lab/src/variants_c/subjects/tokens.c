/* Splits a text in a small language of rules into tokens, and prints one a line with its kind. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXTOKEN 40
#define END 0
#define NAME 1
#define KEYWORD 2
#define NUMBER 3
#define TEXT 4
#define LETTER 5
#define MARK 6
#define WRONG 7

static char *keywords[] = { "and", "if", "or", "xor", "lambda", "then", 0 };
static char *kinds[] = { "end", "name", "keyword", "number", "text", "letter", "mark", "wrong" };

static char buffer[MAXTOKEN + 1];
static int length;
static int ahead = -2;
static int line = 1;
static int counts[8];

static int next_letter()
{
    int letter;
    if (ahead != -2) {
        letter = ahead;
        ahead = -2;
    } else
        letter = getchar();
    if (letter == '\n')
        line++;
    return letter;
}

static void give_back(letter)
int letter;
{
    if (letter == '\n')
        line--;
    ahead = letter;
}

static void add(letter)
int letter;
{
    if (length < MAXTOKEN)
        buffer[length++] = letter;
    buffer[length] = '\0';
}

static int is_keyword(word)
char *word;
{
    int place;
    for (place = 0; keywords[place]; place++)
        if (strcmp(keywords[place], word) == 0)
            return 1;
    return 0;
}

static int skip_blanks()
{
    int letter = next_letter();
    while (letter != EOF) {
        if (letter == ';') {
            while (letter != EOF && letter != '\n')
                letter = next_letter();
        } else if (isspace(letter))
            letter = next_letter();
        else
            break;
    }
    return letter;
}

static int read_name(letter)
int letter;
{
    while (isalnum(letter) || letter == '_') {
        add(letter);
        letter = next_letter();
    }
    give_back(letter);
    return is_keyword(buffer) ? KEYWORD : NAME;
}

static int read_number(letter)
int letter;
{
    int dots = 0;
    while (isdigit(letter) || (letter == '.' && dots == 0)) {
        if (letter == '.')
            dots++;
        add(letter);
        letter = next_letter();
    }
    give_back(letter);
    if (isalpha(letter) || letter == '.')
        return WRONG;
    if (buffer[length - 1] == '.')
        return WRONG;
    return NUMBER;
}

static int read_text()
{
    int letter = next_letter();
    while (letter != '"') {
        if (letter == EOF || letter == '\n') {
            give_back(letter);
            return WRONG;
        }
        if (letter == '\\') {
            letter = next_letter();
            if (letter == 'n')
                letter = ' ';
            if (letter == EOF)
                return WRONG;
        }
        add(letter);
        letter = next_letter();
    }
    return TEXT;
}

static int read_mark(letter)
int letter;
{
    int second;
    add(letter);
    switch (letter) {
    case '(':
    case ')':
    case '[':
    case ']':
    case ',':
    case '\'':
        return MARK;
    case '=':
    case '<':
    case '>':
        second = next_letter();
        if (second == '=' || (letter == '=' && second == '>'))
            add(second);
        else
            give_back(second);
        return MARK;
    }
    return WRONG;
}

static int next_token()
{
    int letter = skip_blanks();
    length = 0;
    buffer[0] = '\0';
    if (letter == EOF)
        return END;
    if (isalpha(letter) || letter == '_')
        return read_name(letter);
    if (isdigit(letter))
        return read_number(letter);
    if (letter == '"')
        return read_text();
    if (letter == '#') {
        letter = next_letter();
        if (!isalpha(letter)) {
            give_back(letter);
            return WRONG;
        }
        add(letter);
        return LETTER;
    }
    return read_mark(letter);
}

int main()
{
    int kind, first;
    do {
        kind = next_token();
        first = line;
        counts[kind]++;
        if (kind == END)
            break;
        if (length > 12 && kind == NAME)
            printf("%d: long name, \"%s\"\n", first, buffer);
        else
            printf("%d: %s, \"%s\"\n", first, kinds[kind], buffer);
    } while (kind != END);
    printf("%d lines, %d wrong\n", line, counts[WRONG]);
    return counts[WRONG] > 0;
}
