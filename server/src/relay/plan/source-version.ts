/** Counts the changes of what plans of calls are made from: options, channels, prices, limits. A plan of an older version is made anew. */
export interface SourceVersion {
  readonly now: number
  /** Called after a source was replaced, before anything else can run. */
  readonly bump: () => void
}

export const openSourceVersion = (): SourceVersion => {
  const version = {
    now: 1,
    bump: (): void => {
      version.now += 1
    },
  }
  return version
}

/** A reading that is made again after a source was replaced, not each time. */
export const readPerVersion = <T>(sources: SourceVersion, read: () => T): (() => T) => {
  let version = sources.now
  let value = read()
  return () => {
    if (version === sources.now) return value
    version = sources.now
    value = read()
    return value
  }
}
