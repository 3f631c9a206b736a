// What fields of a channel must look like, for the server and the console's form; no schema library comes with it.

/** How a channel with several keys chooses one: `key_rotation` of its settings; absent is the order of the list. */
export const keyRotations: readonly unknown[] = [undefined, 'random', 'round_robin']

/** True for an HTTP status from 100 to 599, as a number or as text. */
export const isStatusCode = (value: unknown): boolean => /^[1-5]\d\d$/.test(String(value))
