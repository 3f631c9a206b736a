import { CopyText } from '../copy/copy-text.tsx'
import { useUiWords } from '../messages.ts'

/** What the upstream calls a task, to copy; a task that it refused has no name. */
export const TaskId = ({ id, name }: { id: string; name: string }) => {
  const say = useUiWords()
  return id === '' ? <span className="faint">{say('nothing')}</span> : <CopyText text={id} name={name} />
}
