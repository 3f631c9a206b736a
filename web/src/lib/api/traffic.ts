let underWay = 0
let lastAnswerAt = 0

/** Counts a call from its sending to its answer. */
export const countCall = async <T>(answer: Promise<T>): Promise<T> => {
  underWay += 1
  try {
    return await answer
  } finally {
    underWay -= 1
    lastAnswerAt = performance.now()
  }
}

/** For how long no call has been under way, in milliseconds; before the first, since the page began. */
export const quietForMs = (): number => (underWay > 0 ? 0 : performance.now() - lastAnswerAt)
