import { useBaseUrl } from '../../lib/api/base-url.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { pythonSnippet, Snippet } from '../markdown/snippet.tsx'
import classes from './sign-in-page.module.css'

const usePitchMessages = defineMessages('pitch', {
  zh: { promise: '一个地址，接入全部模型。每一次调用都有据可查。' },
  en: { promise: 'One address for every model. Every call accounted for.' },
})

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
