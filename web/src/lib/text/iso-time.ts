/** The moment as exports write it, in UTC; empty for 0, which stands for none. */
export const isoTime = (seconds: number): string => (seconds > 0 ? new Date(seconds * 1000).toISOString() : '')
