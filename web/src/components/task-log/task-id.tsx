import { CopyText } from '../copy/copy-text.tsx'
import { useUiMessages } from '../messages.ts'

/** The upstream's id of a task, to copy; a task that the upstream refused has none. */
export const TaskId = ({ id, name }: { id: string; name: string }) => {
  const say = useUiMessages()
  return id === '' ? <span className="faint">{say('nothing')}</span> : <CopyText text={id} name={name} />
}
