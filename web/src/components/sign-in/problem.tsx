import { lazy, Suspense } from 'react'
import { requiredProviderOf } from '../../lib/sign-in/third-party.ts'
import { errorText } from '../../lib/text/error-text.ts'
import classes from './sign-in-page.module.css'

const RequiredProvider = lazy(async () => ({
  default: (await import('./third-party/required-provider.tsx')).RequiredProvider,
}))

/** A text, or what a call was refused with. */
export type Problem = string | Error

/** Anything that was thrown, to be shown. */
export const problemOf = (error: unknown): Problem => (error instanceof Error ? error : String(error))

/** Sign-in error above a form, with a button to the provider that the server requires. */
export const SignInProblem = ({ problem }: { problem: Problem | undefined }) => {
  const required = requiredProviderOf(problem)
  return (
    <>
      <div role="alert">{problem && <div className={classes.problem}>{errorText(problem)}</div>}</div>
      {required && (
        <Suspense>
          <RequiredProvider {...required} />
        </Suspense>
      )}
    </>
  )
}
