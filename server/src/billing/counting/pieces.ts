/** The parts of a prompt for counting: a text to tokenize, or a number of tokens. */
export type Pieces = Iterable<string | number>

export const audioTokens = 100
export const fileTokens = 5000
