import { useUiMessages } from '../messages.ts'

/** A text that may be long; the table cuts it. */
export const CutText = ({ text, mono }: { text: string; mono?: boolean }) => {
  const say = useUiMessages()
  if (text === '') return <span className="faint">{say('nothing')}</span>
  return <span className={mono ? 'mono' : ''}>{text}</span>
}
