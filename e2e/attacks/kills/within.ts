/** Waits for `work`, and rejects when it takes longer than `ms`. Answers the milliseconds that it took. */
export const within = async (ms: number, what: string, work: Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
  return performance.now() - begun
}
