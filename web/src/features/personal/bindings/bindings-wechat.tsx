import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWeChatMessages } from '../../../components/sign-in/third-party/wechat-messages.ts'
import { isGivenUp } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import classes from './bindings.module.css'

const WeChatForm = ({ onClose }: { onClose: () => void }) => {
  const say = useWeChatMessages()
  const { wechat_qrcode: picture } = useStatus()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const bind = useAction(calls.weChatBind, {
    refresh: [calls.listBindings, calls.getSelf],
    done: say('bound'),
    onDone: onClose,
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (code.trim() === '') return setProblem(say('missing'))
    setProblem(undefined)
    await bind
      .submit({ query: { code: code.trim() } })
      .catch((error: unknown) => setProblem(isGivenUp(error) ? undefined : errorText(error)))
  }
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {picture && <img className={classes.picture} src={picture} alt={say('picture')} />}
      <p className="muted">{say('text')}</p>
      <TextInput
        label={say('code')}
        autoComplete="one-time-code"
        value={code}
        error={problem}
        onChange={(event) => setCode(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="sm" gap={8}>
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button type="submit" variant="filled" loading={bind.busy}>
          {say('bind')}
        </Button>
      </Group>
    </form>
  )
}

/** Links the WeChat account that a code came from (the code is valid for 3 minutes). */
export const WeChatBinding = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useWeChatMessages()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<strong className="strong">{say('bindTitle')}</strong>}
      withCloseButton={false}
    >
      <WeChatForm onClose={onClose} />
    </Modal>
  )
}
