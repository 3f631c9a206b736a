import { longestPasskeyName } from 'virtual:contract'
import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Hint } from '#web/components/display/hint.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { OwnRows, RowWords } from '#web/components/display/own-rows.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { Section } from '#web/components/panel-section.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type Passkey } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { deviceName } from '#web/lib/text/device-name.ts'
import { usePasskeyMessages } from './messages.ts'
import classes from './passkeys.module.css'
import { browserHasPasskeys } from './sign-in-ways.ts'

const RenameForm = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const say = usePasskeyMessages()
  const [name, setName] = useState(passkey.name)
  const rename = useAction(calls.renamePasskey, {
    refresh: [calls.listPasskeys],
    done: say('renamed'),
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') void rename.run({ params: { id: passkey.id }, body: { name } })
  }
  return (
    <form className={classes.rename} onSubmit={submit}>
      <TextInput
        aria-label={say('name')}
        value={name}
        maxLength={longestPasskeyName}
        data-autofocus
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <Button type="submit" loading={rename.busy}>
        {say('save')}
      </Button>
      <Button onClick={onClose}>{say('cancel')}</Button>
    </form>
  )
}

const PasskeyRow = ({ passkey }: { passkey: Passkey }) => {
  const say = usePasskeyMessages()
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const remove = useAction(calls.removePasskey, { refresh: [calls.listPasskeys], done: say('removed') })
  const { name } = passkey
  if (doing === 'rename') {
    return (
      <li>
        <RenameForm passkey={passkey} onClose={() => setDoing(undefined)} />
      </li>
    )
  }
  return (
    <li>
      <Icon name="key" />
      <RowWords name={name}>
        {say('added')} <TimeText at={passkey.created_time} /> ·{' '}
        {passkey.last_used_time === 0 ? (
          say('neverUsed')
        ) : (
          <>
            {say('used')} <TimeText at={passkey.last_used_time} relative />
          </>
        )}
      </RowWords>
      <Hint label={say('rename', { name })}>
        <ActionIcon aria-label={say('rename', { name })} onClick={() => setDoing('rename')}>
          <Icon name="edit" size={14} />
        </ActionIcon>
      </Hint>
      <Hint label={say('remove', { name })}>
        <ActionIcon aria-label={say('remove', { name })} onClick={() => setDoing('remove')}>
          <Icon name="trash" size={14} />
        </ActionIcon>
      </Hint>
      <ConfirmAction
        opened={doing === 'remove'}
        onClose={() => setDoing(undefined)}
        title={say('removeTitle', { name })}
        effect={say('removeEffect')}
        confirmLabel={say('removeShort')}
        onConfirm={() => remove.submit({ params: { id: passkey.id } })}
        danger
      />
    </li>
  )
}

/** Passkeys of the account: added on this device, renamed, removed. */
export const Passkeys = () => {
  const say = usePasskeyMessages()
  const list = useEndpoint(calls.listPasskeys)
  /** Resolves to false where the person gave up. */
  const makeOne = async (): Promise<boolean> => {
    const { makePasskey } = await import('./ceremonies.ts')
    const answer = await makePasskey(await call(calls.beginPasskey))
    if (!answer) return false
    const name = deviceName(navigator.userAgent) ?? say('unknownDevice')
    await call(calls.finishPasskey, { body: { name, answer } })
    return true
  }
  const add = useAction(makeOne, {
    done: (made) => (made ? say('passkeyAdded') : undefined),
    refresh: [calls.listPasskeys],
  })
  return (
    <Section id="passkeys" title={say('passkeys')}>
      <p className="muted">{say('passkeysText')}</p>
      {list.data === undefined && list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Skeleton h={52} mb={12} />
      ) : list.data.length === 0 ? (
        <p className="faint">{say('noPasskeys')}</p>
      ) : (
        <OwnRows>
          {list.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </OwnRows>
      )}
      {browserHasPasskeys() ? (
        <Button leftSection={<Icon name="plus" size={14} />} loading={add.busy} onClick={() => void add.run()}>
          {say('addPasskey')}
        </Button>
      ) : (
        <p className={classes.note}>{say('passkeysUnsupported')}</p>
      )}
    </Section>
  )
}
