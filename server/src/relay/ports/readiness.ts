/** Why no call may begin: calls cannot be recorded, or another gateway spends from the same balances without knowing of this one. */
export type CallStop = 'recording_failed' | 'other_gateway_serves'

/** Kept up to date by the parts whose state it is, so that a call reads one value. */
export interface Readiness {
  /** undefined while calls may begin. */
  readonly refusal: CallStop | undefined
}

/** Someone who can keep calls from beginning. */
export interface CallStopper {
  /** True while it does so. */
  stops(): boolean
  /** Calls the listener after each change. */
  watch(listener: () => void): void
}

/** Readiness as these say, the first of them first. */
export const openReadiness = (stoppers: ReadonlyMap<CallStop, CallStopper>): Readiness => {
  const readiness: { refusal: CallStop | undefined } = { refusal: undefined }
  const look = (): void => {
    readiness.refusal = [...stoppers].find(([, stopper]) => stopper.stops())?.[0]
  }
  for (const stopper of stoppers.values()) stopper.watch(look)
  look()
  return readiness
}
