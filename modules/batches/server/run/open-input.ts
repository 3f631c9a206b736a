import { AppError } from '#server/lib/app-error.ts'

/** Reads an input that may be deleted meanwhile: its bytes then end, and `isGone` is true. Errors of the database are thrown. */
export const openInput = (open: (from: number) => AsyncIterable<Uint8Array>) => {
  let gone = false
  return {
    async *bytes(from: number): AsyncGenerator<Uint8Array> {
      try {
        yield* open(from)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        gone = true
      }
    },
    isGone: (): boolean => gone,
  }
}
