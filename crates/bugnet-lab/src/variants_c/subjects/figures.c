/* Figures about tables of counts: reads tables as `rows columns` and the counts, and prints totals, means, the
 * greatest row, and how far the counts are from being independent. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 200
#define TINY 1.0e-9

static long counts[MOST];
static int rows, columns;
static double row_sums[MOST], column_sums[MOST];
static double total;

#define AT(row, column) counts[(row) * columns + (column)]

/* Reads a table; returns 0 at the end, -1 for a wrong one. */
static int load()
{
    int place, row, column;
    char word[64];
    do {
        if (scanf("%63s", word) != 1)
            return 0;
        if (word[0] == '#')
            while ((place = getchar()) != '\n' && place != EOF)
                ;
    } while (word[0] == '#');
    rows = atoi(word);
    if (scanf("%d", &columns) != 1)
        return -1;
    if (rows < 1 || columns < 1 || rows * columns > MOST)
        return -1;
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++)
            if (scanf("%ld", &AT(row, column)) != 1)
                return -1;
    return 1;
}

static void add_up()
{
    int row, column;
    total = 0.0;
    for (row = 0; row < rows; row++) {
        double sum = 0.0;
        for (column = 0; column < columns; column++)
            sum += AT(row, column);
        row_sums[row] = sum;
        total += sum;
    }
    for (column = 0; column < columns; column++) {
        double sum = 0.0;
        for (row = 0; row < rows; row++)
            sum += AT(row, column);
        column_sums[column] = sum;
    }
}

/* The sum of the squares of what is unexpected; negative if it cannot be told. */
static double unexpected(freedom)
int *freedom;
{
    int row, column, live_rows = 0, live_columns = 0;
    double sum = 0.0;
    for (row = 0; row < rows; row++) {
        if (row_sums[row] < 0.0)
            return -2.0;
        if (row_sums[row] > TINY)
            live_rows++;
    }
    for (column = 0; column < columns; column++) {
        if (column_sums[column] < 0.0)
            return -2.0;
        if (column_sums[column] > TINY)
            live_columns++;
    }
    *freedom = (live_rows - 1) * (live_columns - 1);
    if (total <= 0.0 || *freedom < 1)
        return -1.0;
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++) {
            double expected = row_sums[row] * column_sums[column] / total, away;
            if (expected <= TINY)
                continue;
            away = AT(row, column) - expected;
            sum += away * away / expected;
        }
    return sum;
}

static double deviation()
{
    double mean = total / (rows * columns), sum = 0.0;
    int place;
    if (rows * columns < 2)
        return 0.0;
    for (place = 0; place < rows * columns; place++)
        sum += (counts[place] - mean) * (counts[place] - mean);
    return sqrt(sum / (rows * columns - 1));
}

static int greatest()
{
    int row, best = 0;
    for (row = 1; row < rows; row++)
        if (row_sums[row] > row_sums[best])
            best = row;
    return best;
}

static long median()
{
    long sorted[MOST];
    int place, at, size = rows * columns;
    for (place = 0; place < size; place++) {
        for (at = place; at > 0 && sorted[at - 1] > counts[place]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = counts[place];
    }
    if (size % 2 == 1)
        return sorted[size / 2];
    return (sorted[size / 2 - 1] + sorted[size / 2]) / 2;
}

int main()
{
    int found, freedom = 0, tables = 0, wrong = 0, all_freedom = 0;
    double sum = 0.0, value;
    while ((found = load()) != 0) {
        if (found < 0) {
            printf("no table\n");
            wrong++;
            break;
        }
        tables++;
        add_up();
        printf("%dx%d total %.0f mean %.2f deviation %.3f median %ld greatest %d\n", rows, columns, total,
               total / (rows * columns), deviation(), median(), greatest());
        value = unexpected(&freedom);
        if (value < -1.5)
            printf("  counts below zero\n");
        else if (value < -0.5)
            printf("  not informative\n");
        else {
            printf("  unexpected %.3f of %d\n", value, freedom);
            sum += value;
            all_freedom += freedom;
        }
    }
    if (all_freedom > 0)
        printf("together %.3f of %d\n", sum, all_freedom);
    printf("%d tables\n", tables);
    return wrong;
}
