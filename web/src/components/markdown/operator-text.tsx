import { EmbeddedPage } from './embedded-page.tsx'
import markdown from './markdown.module.css'
import classes from './operator-text.module.css'
import { SafeHtml } from './safe-html.tsx'

/** A text of the operator: an https address fills a frame, anything else is HTML or Markdown and is cleaned. */
export const OperatorText = ({ text }: { text: string }) => {
  const trimmed = text.trim()
  if (/^https:\/\/\S+$/.test(trimmed))
    return <EmbeddedPage className={classes.frame ?? ''} src={trimmed} title={new URL(trimmed).host} />
  return (
    <div className={`${classes.text} ${markdown.markdown}`}>
      <SafeHtml html={trimmed} />
    </div>
  )
}
