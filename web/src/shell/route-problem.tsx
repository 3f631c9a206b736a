import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { errorText } from '../lib/text/error-text.ts'
import { usePageMessages } from './page-words.ts'
import classes from './route-problem.module.css'

/** A screen of an older deployment whose files are gone. */
const isOutdated = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Failed to fetch/i.test(error.message)

/** Replaces a screen that failed; the rest of the console keeps working. */
export const RouteProblem = ({ error, reset }: ErrorComponentProps) => {
  const say = usePageMessages()
  const router = useRouter()
  const message = errorText(error)
  const outdated = isOutdated(error)
  const title = outdated ? say('outdated') : say('broken')
  const text = outdated ? say('outdatedText') : say('brokenText')
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={classes.problem} role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      {!outdated && <pre className="mono">{message}</pre>}
      {outdated ? (
        <button type="button" onClick={() => window.location.reload()}>
          {say('reload')}
        </button>
      ) : (
        <button type="button" onClick={retry}>
          {say('retry')}
        </button>
      )}
    </div>
  )
}
