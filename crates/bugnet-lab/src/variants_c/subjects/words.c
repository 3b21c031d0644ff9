/* A tokenizer of another make: reads all of its input, and classifies words by a table of states. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define SIZE 4000
#define TRUE 1
#define FALSE 0

typedef int bool;

enum state { START, IN_WORD, IN_NUMBER, IN_HEX, IN_STRING, IN_COMMENT, DONE };

struct token {
    enum state kind;
    int from, to;
    int column;
};

static char text[SIZE];
static int size;
static int depth, deepest;
static int words, numbers, strings, marks, errors;

static void load(void)
{
    int letter;
    while ((letter = getchar()) != EOF && size < SIZE - 1)
        text[size++] = letter;
    text[size] = '\0';
}

static bool is_word(int letter, bool is_first)
{
    if (isalpha(letter) || letter == '_' || letter == '$')
        return TRUE;
    return !is_first && (isdigit(letter) || letter == '-');
}

static bool is_hex(int letter)
{
    return isdigit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

/* Finds the next token; returns false at the end of the text. */
static bool next(struct token *token, int from, int *column)
{
    enum state state = START;
    int at = from, nesting = 0;
    token->kind = DONE;
    while (state != DONE) {
        int letter = text[at];
        switch (state) {
        case START:
            token->from = at;
            token->column = *column;
            if (letter == '\0')
                return FALSE;
            if (letter == '\n')
                *column = -1;
            if (isspace(letter))
                break;
            if (letter == '{') {
                state = IN_COMMENT;
                nesting = 1;
            } else if (letter == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
                state = IN_HEX;
                at++;
                (*column)++;
            } else if (isdigit(letter))
                state = IN_NUMBER;
            else if (letter == '\'')
                state = IN_STRING;
            else if (is_word(letter, TRUE))
                state = IN_WORD;
            else {
                token->to = at + 1;
                state = DONE;
            }
            token->kind = state;
            break;
        case IN_WORD:
            if (!is_word(letter, FALSE)) {
                token->to = at;
                return TRUE;
            }
            break;
        case IN_NUMBER:
            if (!isdigit(letter)) {
                token->to = at;
                return TRUE;
            }
            break;
        case IN_HEX:
            if (!is_hex(letter)) {
                token->to = at;
                return TRUE;
            }
            break;
        case IN_STRING:
            if (letter == '\0' || letter == '\n') {
                errors++;
                token->to = at;
                return TRUE;
            }
            if (letter == '\'') {
                if (text[at + 1] == '\'') {
                    at++;
                    (*column)++;
                } else {
                    token->to = at + 1;
                    state = DONE;
                }
            }
            break;
        case IN_COMMENT:
            if (letter == '\0') {
                errors++;
                return FALSE;
            }
            if (letter == '\n')
                *column = -1;
            if (letter == '{')
                nesting++;
            if (letter == '}')
                nesting--;
            if (nesting == 0)
                state = START;
            break;
        case DONE:
            break;
        }
        at++;
        (*column)++;
    }
    return TRUE;
}

static void count(struct token *token)
{
    switch (token->kind) {
    case IN_WORD:
        words++;
        break;
    case IN_NUMBER:
    case IN_HEX:
        numbers++;
        break;
    case IN_STRING:
        strings++;
        break;
    default:
        marks++;
        if (text[token->from] == '(')
            depth++;
        if (text[token->from] == ')')
            depth--;
        if (depth < 0) {
            errors++;
            depth = 0;
        }
        if (depth > deepest)
            deepest = depth;
    }
}

static void print(struct token *token)
{
    static char *names[] = { "", "word", "number", "hex", "string", "", "mark" };
    int length = token->to - token->from;
    printf("%3d %-6s %.*s", token->column, names[token->kind], length, text + token->from);
    if (token->kind == IN_WORD && length > 8)
        printf(" (long)");
    if (token->kind == IN_HEX && length <= 2) {
        printf(" (empty)");
        errors++;
    }
    printf("\n");
}

int main(void)
{
    struct token token;
    int at = 0, column = 0;
    load();
    while (next(&token, at, &column)) {
        count(&token);
        print(&token);
        at = token.to;
    }
    if (depth != 0)
        errors++;
    printf("%d words, %d numbers, %d strings, %d marks, depth %d, %d errors\n", words, numbers, strings, marks, deepest,
           errors);
    return errors ? 1 : 0;
}
