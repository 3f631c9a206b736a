import { useBaseUrl } from '../../lib/api/base-url.ts'
import { pythonSnippet, Snippet } from '../markdown/snippet.tsx'
import { usePitchMessages } from './pitch-messages.ts'
import classes from './sign-in-page.module.css'

/** The site's description beside the form; not drawn on phones. */
export const Pitch = () => {
  const say = usePitchMessages()
  const baseUrl = useBaseUrl()
  return (
    <div>
      <p className={classes.promise}>{say('promise')}</p>
      <Snippet code={pythonSnippet(baseUrl)} />
    </div>
  )
}
