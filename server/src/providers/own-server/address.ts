/** What engines print as their address, and what clients are told to call. */
const ending = /\/v1(\/chat\/completions)?$/

/** The address of the engine itself: channels name it with or without `/v1`. */
export const engineAddress = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(ending, '')
