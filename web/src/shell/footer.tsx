import { SafeHtml } from '../components/markdown/safe-html.tsx'
import { useStatus } from '../lib/status.ts'
import classes from './footer.module.css'
import { useShellMessages } from './messages.ts'

/** The operator's own footer, or the credit line with the version. */
export const Footer = () => {
  const say = useShellMessages()
  const { footer_html: html, version } = useStatus()
  return (
    <footer className={classes.footer}>
      {html ? <SafeHtml html={html} /> : <span>{say('poweredBy', { version })}</span>}
    </footer>
  )
}
