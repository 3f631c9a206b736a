import { useRef, useState } from 'react'
import { isGivenUp } from './api/api.ts'

export interface FormSubmission<Args extends readonly unknown[], Data> {
  /** Runs the work; rejects with its failure, which is `error` then, too. */
  submit: (...args: Args) => Promise<Data>
  busy: boolean
  /** The answer of the latest run; undefined while it runs and after a failure. */
  data: Data | undefined
  /** The failure of the latest run; undefined while it runs, after success, and where the person gave it up. */
  error: Error | undefined
  reset: () => void
}

interface State<Data> {
  readonly busy: boolean
  readonly data?: Data
  readonly error?: Error
}

/**
 * Work that a person starts, and how far it is. What is inside the console uses `useAction`, which also notifies and reads
 * again; the sign-in pages, which have no cache and no notifications, and the dialogs that run the work of others use this.
 */
export const useSubmit = <Args extends readonly unknown[], Data>(
  work: (...args: Args) => Promise<Data>,
): FormSubmission<Args, Data> => {
  const [state, setState] = useState<State<Data>>({ busy: false })
  const latest = useRef(0)
  const submit = async (...args: Args): Promise<Data> => {
    latest.current += 1
    const run = latest.current
    const show = (next: State<Data>): void => {
      if (run === latest.current) setState(next)
    }
    show({ busy: true })
    try {
      const data = await work(...args)
      show({ busy: false, data })
      return data
    } catch (error) {
      if (isGivenUp(error)) show({ busy: false })
      else show({ busy: false, error: error instanceof Error ? error : new Error(String(error)) })
      throw error
    }
  }
  /** Forgets the answer and the failure, also of a run that has not ended. */
  const reset = (): void => {
    latest.current += 1
    setState({ busy: false })
  }
  return { submit, reset, busy: state.busy, data: state.data, error: state.error }
}

/** An idempotency key for the changes of one form: sending one again after an answer that did not arrive makes it once. */
export const newFormId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
