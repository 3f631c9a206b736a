/** What a prompt is made of, for counting: text still to be tokenized, or a number of tokens that is already known. */
export type Pieces = Iterable<string | number>

export const audioTokens = 100
export const fileTokens = 5000
