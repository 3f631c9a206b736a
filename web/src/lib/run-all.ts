import { errorText } from './text/error-text.ts'

/** The result of an action on several objects. */
interface Outcome<T> {
  readonly done: readonly T[]
  readonly failed: readonly { readonly item: T; readonly reason: string }[]
}

const atATime = 4

/** Does the same to many things, a few at a time; one that fails does not stop the others. Order is kept. */
export const runAll = async <T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<Outcome<T>> => {
  const reasons: (string | undefined)[] = items.map(() => undefined)
  const waiting = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, item] = next
      try {
        await act(item)
      } catch (error) {
        reasons[index] = errorText(error)
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, worker))
  return {
    done: items.filter((_, index) => reasons[index] === undefined),
    failed: items.flatMap((item, index) => {
      const reason = reasons[index]
      return reason === undefined ? [] : [{ item, reason }]
    }),
  }
}
