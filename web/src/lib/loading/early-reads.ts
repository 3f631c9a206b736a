/** Reads that the page itself began, before any script of the console was there (early-page.ts). */
export interface EarlyReads {
  /** The moment that "the last three days" were counted from in their queries, in unix seconds. */
  readonly moment: number
  /** User who was signed in then; -1 for visitors. */
  readonly userId: number
  /** Answers by the address of their call, each taken once. */
  readonly answers: Map<string, Promise<Response>>
}

declare global {
  /** Shared by the script in the page and the scripts of the console, which are built apart. */
  var tollgateEarlyReads: EarlyReads | undefined
}

/** The answer to a call that the page began for this user; undefined where it began none. */
export const takeEarlyAnswer = (address: string, userId: number): Promise<Response> | undefined => {
  const early = globalThis.tollgateEarlyReads
  if (early?.userId !== userId) return undefined
  const answer = early.answers.get(address)
  early.answers.delete(address)
  return answer
}

export const earlyAnswers = (): Promise<Response>[] => [...(globalThis.tollgateEarlyReads?.answers.values() ?? [])]

/** True if the page began the call with this address. */
export const isBegunEarly = (address: string): boolean => globalThis.tollgateEarlyReads?.answers.has(address) === true

/** The moment in the queries of the early reads; undefined where there were none. */
export const earlyMoment = (): number | undefined => globalThis.tollgateEarlyReads?.moment

/** Drops what nobody took: an old answer must never be given to a later read. */
export const endEarlyReads = (): void => {
  globalThis.tollgateEarlyReads = undefined
}
