import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { connectionStore, lookForServer } from '../lib/api/connection.ts'
import { PartMissing, reloadOnce } from '../lib/loading/load-part.ts'
import { useStore } from '../lib/preferences/store.ts'
import { errorText } from '../lib/text/error-text.ts'
import { hasUnsaved } from '../lib/unsaved.ts'
import { usePageMessages } from './page-words.ts'
import classes from './route-problem.module.css'

/** Loads the page anew, once, when its files are missing although the server answers. Edits are never lost by it. */
const useReload = (isMissing: boolean): boolean => {
  const isConnected = useStore(connectionStore)
  const [hasLooked, setHasLooked] = useState(false)
  useEffect(() => {
    if (isMissing) void lookForServer().then(() => setHasLooked(true))
  }, [isMissing])
  useEffect(() => {
    if (isMissing && hasLooked && isConnected && !hasUnsaved()) reloadOnce()
  }, [isMissing, hasLooked, isConnected])
  return isConnected
}

/** Replaces a screen that failed; the rest of the console keeps working. */
export const RouteProblem = ({ error, reset }: ErrorComponentProps) => {
  const say = usePageMessages()
  const router = useRouter()
  const isMissing = error instanceof PartMissing
  const isConnected = useReload(isMissing)
  const kind = !isMissing ? 'broken' : isConnected ? 'outdated' : 'unreached'
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <div className={classes.problem} role="alert">
      <h1>{say(kind)}</h1>
      <p>{say(`${kind}Text`)}</p>
      {!isMissing && <pre className="mono">{errorText(error)}</pre>}
      {isMissing ? (
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
