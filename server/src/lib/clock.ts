/** Milliseconds since 1970; passed in wherever tests need to move the time. */
export type Clock = () => number

export const systemClock: Clock = Date.now

/** The clock's time in whole seconds since 1970, the unit of every time column. */
export const unixSeconds = (clock: Clock): number => Math.floor(clock() / 1000)
