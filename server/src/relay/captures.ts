import type { CallFacts, RelayCall } from './call.ts'
import type { AttemptCapture, CallCapture, SentRequest } from './call-capture.ts'
import type { CallFailure } from './failure.ts'

/** What a capture shows of a call that the usual relay does not make: a session, a task, a direct call. */
export interface InspectedFacts
  extends CallFacts,
    Pick<RelayCall, 'raw' | 'query' | 'passed' | 'accept' | 'form'>,
    Partial<Pick<RelayCall, 'dialect' | 'endpoint'>> {
  /** Of what the client sent; JSON where it is absent. */
  readonly contentType?: string | undefined
}

/** One request to an upstream that goes on, such as a session. */
export interface InspectedAttempt extends AttemptCapture {
  /** More went upstream. */
  more(text: string): void
}

/** A capture of such a call. */
export interface InspectedCall extends CallCapture {
  sent(request: SentRequest): InspectedAttempt | undefined
  /** The client sent more. */
  more(text: string): void
  /** The client got this, and perhaps more later. */
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

/** The present captures of calls: while there are none, no call asks. */
export interface CurrentCaptures {
  readonly current: Captures | undefined
}

/** What the client of a failed call still gets. */
export const failureText = (
  failure: CallFailure,
  print: ((failure: CallFailure) => string) | undefined,
): { readonly status: number; readonly body: string } => ({
  status: failure.status,
  body: failure.printed ?? print?.(failure) ?? failure.message,
})
