import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { type Binding, calls, type Linkable } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { goToThirdParty, isThirdPartyOn, thirdPartyNames } from '../../../lib/sign-in/third-party.ts'
import { useStatus } from '../../../lib/status.ts'
import { useBindingMessages } from './binding-messages.ts'
import classes from './bindings.module.css'
import { ProviderBindings } from './bindings-providers.tsx'

const WeChatBinding = onDemand(async () => (await import('./bindings-wechat.tsx')).WeChatBinding)
const EmailBinding = onDemand(async () => (await import('./bindings-email.tsx')).EmailBinding)

/** Accounts elsewhere that can be linked, in the order in which they are shown. */
const rows: readonly Linkable[] = ['email', 'wechat', 'github', 'discord', 'oidc', 'telegram', 'linuxdo']

const useNames = (): ((provider: Linkable) => string) => {
  const say = useBindingMessages()
  return (provider) => (provider === 'email' || provider === 'wechat' ? say(provider) : thirdPartyNames[provider])
}

/** True for accounts that the site lets people bind. */
const useIsOn = (): ((provider: Linkable) => boolean) => {
  const status = useStatus()
  return (provider) => provider === 'email' || isThirdPartyOn(status, provider)
}

const Unbind = ({ provider, binding }: { provider: Linkable; binding: Binding }) => {
  const say = useBindingMessages()
  const name = useNames()(provider)
  const [asking, setAsking] = useState(false)
  const done = { refresh: [calls.listBindings, calls.getSelf], done: say('unbindDone') }
  const unbind = useAction(calls.unbind, done)
  const unbindEmail = useAction(calls.unbindEmail, done)
  return (
    <>
      <Hint label={say(binding.removable ? 'unbindNamed' : 'last', { name })} multiline maw={260}>
        <span>
          <ActionIcon
            aria-label={say('unbindNamed', { name })}
            disabled={!binding.removable}
            onClick={() => setAsking(true)}
          >
            <Icon name="trash" size={14} />
          </ActionIcon>
        </span>
      </Hint>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('unbindTitle', { provider: name, name: binding.name })}
        effect={provider === 'email' ? say('unbindEmailEffect') : say('unbindEffect')}
        confirmLabel={say('unbind')}
        onConfirm={() => (provider === 'email' ? unbindEmail.submit() : unbind.submit({ params: { provider } }))}
        danger
      />
    </>
  )
}

const Row = ({ provider, binding }: { provider: Linkable; binding: Binding | undefined }) => {
  const say = useBindingMessages()
  const name = useNames()(provider)
  const isOn = useIsOn()(provider)
  const [open, setOpen] = useState(false)
  const going = useAction(goToThirdParty)
  const bind = (): void => {
    if (provider === 'email' || provider === 'wechat') {
      setOpen(true)
      return
    }
    void going.run(provider, 'bind')
  }
  const label = binding ? say('change') : provider === 'email' ? say('bindEmail') : say('bind')
  // The accessible name begins with the visible text, so that voice control finds the button.
  const named = binding ? say('changeNamed', { name }) : provider === 'email' ? label : say('bindNamed', { name })
  return (
    <li>
      <div className={classes.what}>
        <strong>{name}</strong>
        {binding ? (
          <>
            <p className={classes.name}>{binding.name}</p>
            <p className="faint">
              {binding.created_time > 0 && (
                <>
                  {say('since')} <TimeText at={binding.created_time} />
                </>
              )}
              {!binding.removable && <span className={classes.only}>{say('only')}</span>}
            </p>
          </>
        ) : (
          <p className="faint">{say('unbound')}</p>
        )}
      </div>
      {isOn && (
        <Button aria-label={named} loading={going.busy} onClick={bind}>
          {label}
        </Button>
      )}
      {binding && <Unbind provider={provider} binding={binding} />}
      {provider === 'email' && <EmailBinding opened={open} onClose={() => setOpen(false)} />}
      {provider === 'wechat' && <WeChatBinding opened={open} onClose={() => setOpen(false)} />}
    </li>
  )
}

/** The e-mail address and the accounts elsewhere that open this account; those that are neither bound nor on come last, by name. */
export const Bindings = () => {
  const say = useBindingMessages()
  const nameOf = useNames()
  const isOn = useIsOn()
  const list = useEndpoint(calls.listBindings)
  const isShown = (provider: Linkable): boolean =>
    isOn(provider) || (list.data ?? []).some((binding) => binding.provider === provider)
  const off = rows.filter((provider) => !isShown(provider))
  return (
    <Section id="bindings" title={say('title')}>
      <p className="muted">{say('text')}</p>
      {list.data ? (
        <>
          <ul className={classes.rows}>
            {rows.filter(isShown).map((provider) => (
              <Row
                key={provider}
                provider={provider}
                binding={list.data.find((binding) => binding.provider === provider)}
              />
            ))}
            <ProviderBindings />
          </ul>
          {off.length > 0 && <p className={classes.off}>{say('offHere', { names: off.map(nameOf).join(', ') })}</p>}
        </>
      ) : list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton h={300} />
      )}
    </Section>
  )
}
