import { useUiMessages } from '../messages.ts'
import classes from './task-log.module.css'

/** At most two lines of a text that may be long; the rest on hovering. */
export const CutText = ({ text, mono }: { text: string; mono?: boolean }) => {
  const say = useUiMessages()
  if (text === '') return <span className="faint">{say('nothing')}</span>
  return (
    <span className={`${classes.cut} ${mono ? 'mono' : ''}`} title={text}>
      {text}
    </span>
  )
}
