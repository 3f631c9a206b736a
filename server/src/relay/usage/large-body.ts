/**
 * What the thread that parsed a large body found out about it: looking through megabytes of texts takes the main thread as
 * long as parsing them. It holds for the model and the words that it was made for.
 */
export interface BodySurvey {
  readonly model: string
  /** Prompt tokens that are known without a tokenizer, of images and the like. */
  readonly tokens: number
  /** Bytes of the texts that cost tokens. */
  readonly textBytes: number
  /** Lower-cased words that were looked for. */
  readonly words: readonly string[]
  readonly hasWord: boolean
}
