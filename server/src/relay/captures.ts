import type { CallFacts, RelayCall } from './call.ts'
import type { AttemptCapture, CallCapture, SentRequest } from './call-capture.ts'
import type { CallFailure } from './failure.ts'

/** Facts of a call outside the usual relay for its capture: a session, a task, a direct call. */
export interface InspectedFacts
  extends CallFacts,
    Pick<RelayCall, 'raw' | 'query' | 'passed' | 'accept' | 'form'>,
    Partial<Pick<RelayCall, 'dialect' | 'endpoint'>> {
  /** Content type of the client's body; JSON where it is absent. */
  readonly contentType?: string | undefined
}

/** A long-lived request to an upstream, such as a session. */
export interface InspectedAttempt extends AttemptCapture {
  /** Records another message to the upstream. */
  more(text: string): void
}

/** A capture of such a call. */
export interface InspectedCall extends CallCapture {
  sent(request: SentRequest): InspectedAttempt | undefined
  /** Records another message of the client. */
  more(text: string): void
  /** Records an answer to the client; more may follow. */
  answered(status: number, headers: readonly string[], bytes: Buffer | string): void
}

/** Decides which of such calls are captured. */
export interface Inspections {
  /** undefined where the call is not inspected. While there is no inspection, this asks one question. */
  open(call: InspectedFacts): InspectedCall | undefined
}

/** Decides which calls are captured. */
export interface Captures {
  /** undefined where the call is not inspected. While there is no inspection, this asks one question. */
  open(call: RelayCall): CallCapture | undefined
}

/** Captures that are switched on and off. */
export interface SwitchedCaptures extends Captures {
  /** False while no call is captured. */
  readonly isOn: boolean
  /** Calls the listener whenever `isOn` may have changed. */
  watch(listener: () => void): void
}

/** The active captures; undefined while there are none, so that a call costs one comparison. */
export interface CurrentCaptures {
  readonly current: Captures | undefined
}

/** Status and body of the error that the client of a failed call still gets. */
export const failureText = (
  failure: CallFailure,
  print: ((failure: CallFailure) => string) | undefined,
): { readonly status: number; readonly body: string } => ({
  status: failure.status,
  body: failure.printed ?? print?.(failure) ?? failure.message,
})
