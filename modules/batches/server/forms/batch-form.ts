import type { Selectable } from 'kysely'
import type { BatchesTable } from '../tables.ts'

export type Batch = Selectable<BatchesTable>

/** A line of an input that a call can be made of. */
export interface BatchLine {
  /** Names it in the results; its meaning is the form's. */
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Why no call can be made of a line. */
export interface LineFault {
  readonly fault: string
  readonly message: string
  /** Member that is wrong; null for the whole line. */
  readonly param: string | null
}

/** How a line ended. */
export type LineOutcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** JSON without line feeds. */
      readonly body: string
      readonly requestId: string
    }
  | { readonly kind: 'failed'; readonly fault: LineFault }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'expired' }

export const isSuccess = (outcome: LineOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

/** Requests and results of one API for batches. */
export interface BatchForm {
  readonly name: Batch['form']
  /** Beginning of the ids of its batches. */
  readonly beginning: string
  /** Seconds until lines that are not done expire. */
  readonly windowSeconds: number
  /** Reads a line of its input. Lines of a batch that runs have been read before. */
  read(text: string, batch: Pick<Batch, 'endpoint' | 'model' | 'settings'>): BatchLine | LineFault
  /** The line of the results, without a line feed. `name` is empty where the line could not be read. */
  print(line: { readonly id: string; readonly name: string; readonly outcome: LineOutcome }): string
  /** True where results of lines without success are a file of their own. */
  readonly hasErrorFile: boolean
  /** True where each name stands once in a batch. */
  readonly hasUniqueNames: boolean
}

export const isFault = (line: BatchLine | LineFault): line is LineFault => 'fault' in line

/** The file of results that a line belongs to. */
export const kindOfResult = (form: BatchForm, outcome: LineOutcome): 'output' | 'error' =>
  form.hasErrorFile && !isSuccess(outcome) ? 'error' : 'output'
