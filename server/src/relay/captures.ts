import type { RelayCall } from './call.ts'
import type { CallCapture } from './call-capture.ts'
import type { CallFailure } from './failure.ts'

/** Decides which calls are captured. */
export interface Captures {
  /** undefined where the call is not inspected. While there is no inspection, this asks one question. */
  open(call: RelayCall): CallCapture | undefined
}

/** What the client of a failed call still gets. */
export const failureText = (
  failure: CallFailure,
  print: ((failure: CallFailure) => string) | undefined,
): { readonly status: number; readonly body: string } => ({
  status: failure.status,
  body: failure.printed ?? print?.(failure) ?? failure.message,
})
