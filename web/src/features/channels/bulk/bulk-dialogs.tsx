import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChannelMessages } from '../messages.ts'
import { readPriority, readWeight } from '../state.ts'
import { useBulkMessages } from './chosen-channels.tsx'

export type BulkField = 'tag' | 'priority' | 'weight'

interface ValueDialogProps {
  field: BulkField
  count: number
  onClose: () => void
  onApply: (text: string) => void
}

/** Asks for the tag, priority or weight that the chosen channels get. */
export const ValueDialog = ({ field, count, onClose, onApply }: ValueDialogProps) => {
  const say = useChannelMessages()
  const sayBulk = useBulkMessages()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const check = (): string | undefined => {
    if (field === 'tag') return text.trim() === '' ? sayBulk('tagEmpty') : undefined
    if (field === 'priority') return readPriority(text) === undefined ? say('priorityInvalid') : undefined
    return readWeight(text) === undefined ? say('weightInvalid') : undefined
  }
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    const found = check()
    setProblem(found)
    if (found === undefined) onApply(text.trim())
  }
  const title = say(field === 'tag' ? 'setTag' : field === 'priority' ? 'setPriority' : 'setWeight')
  return (
    <Modal opened onClose={onClose} withCloseButton={false} title={<strong className="strong">{title}</strong>}>
      <form onSubmit={apply} noValidate>
        <p className="muted">{sayBulk('chosen', { count })}</p>
        <TextInput
          mt="sm"
          label={field === 'tag' ? sayBulk('tagLabel') : say(field)}
          inputMode={field === 'tag' ? 'text' : 'numeric'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" mt="lg" gap={8}>
          {field === 'tag' && (
            <Button variant="subtle" mr="auto" onClick={() => onApply('')}>
              {sayBulk('removeTag')}
            </Button>
          )}
          <Button onClick={onClose}>{sayBulk('cancel')}</Button>
          <Button type="submit" variant="filled">
            {sayBulk('apply')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
