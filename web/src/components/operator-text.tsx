import { Markdown } from './markdown.tsx'
import classes from './operator-text.module.css'
import { SafeHtml } from './safe-html.tsx'

/** A text of the operator: an https address fills a frame, HTML is cleaned, anything else is Markdown. */
export const OperatorText = ({ text }: { text: string }) => {
  const given = text.trim()
  if (/^https:\/\/\S+$/.test(given))
    return (
      <iframe className={classes.frame} src={given} title={given} sandbox="allow-scripts allow-popups allow-forms" />
    )
  return (
    <div className={classes.text}>{given.startsWith('<') ? <SafeHtml html={given} /> : <Markdown text={given} />}</div>
  )
}
