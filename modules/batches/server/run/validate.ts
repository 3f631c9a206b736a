import { hash } from 'node:crypto'
import { type Batch, type BatchForm, isFault, type LineFault } from '../forms/batch-form.ts'
import { inputLines, inputStart } from '../input/input-lines.ts'

/** An error of a batch, about one of its lines, or about all where `line` is null. */
export interface BatchFault {
  readonly code: string
  readonly line: number | null
  readonly message: string
  readonly param: string | null
}

export interface ValidateParts {
  readonly form: BatchForm
  readonly batch: Pick<Batch, 'endpoint' | 'model' | 'settings'>
  readonly longestLine: number
  readonly mostLines: number
  /** False once the batch is cancelled or left. */
  readonly goesOn: () => boolean
}

const mostFaults = 50
/** Lines between two moments for other work of the process. */
const linesPerTurn = 200

const faultOf = (line: number | null, { fault, message, param }: LineFault): BatchFault => ({
  code: fault,
  line,
  message,
  param,
})

const tooLong = (most: number): LineFault => ({
  fault: 'line_too_long',
  message: `This line is longer than ${most} bytes.`,
  param: null,
})

const duplicate: LineFault = {
  fault: 'duplicate_custom_id',
  message:
    'The custom_id for this request is a duplicate of another request. The custom_id parameter must be unique for each request in a batch.',
  param: 'custom_id',
}

const tooMany = (most: number): LineFault => ({
  fault: 'too_many_tasks',
  message: `The batch has more than ${most} requests.`,
  param: null,
})

const empty: LineFault = { fault: 'empty_file', message: 'The batch has no requests.', param: null }

/** Reads each line of an input once: their number, and the first faults. */
export const validateInput = async (
  bytes: AsyncIterable<Uint8Array>,
  parts: ValidateParts,
): Promise<{ readonly total: number; readonly faults: readonly BatchFault[] }> => {
  const { form, batch, longestLine, mostLines } = parts
  const faults: BatchFault[] = []
  /** Hashes: names may be long. */
  const names = new Set<string>()
  let total = 0
  const isNew = (name: string): boolean => names.size < names.add(hash('sha256', name, 'binary')).size
  const check = (text: string | undefined): LineFault | undefined => {
    if (text === undefined) return tooLong(longestLine)
    const line = form.read(text, batch)
    if (isFault(line)) return line
    return form.hasUniqueNames && !isNew(line.name) ? duplicate : undefined
  }
  for await (const { line, text } of inputLines(bytes, inputStart, longestLine)) {
    if (!parts.goesOn() || faults.length >= mostFaults) break
    total += 1
    if (total % linesPerTurn === 0) await new Promise(setImmediate)
    if (total > mostLines) {
      faults.push(faultOf(null, tooMany(mostLines)))
      break
    }
    const fault = check(text)
    if (fault !== undefined) faults.push(faultOf(line, fault))
  }
  if (total === 0 && parts.goesOn()) faults.push(faultOf(null, empty))
  return { total, faults }
}
