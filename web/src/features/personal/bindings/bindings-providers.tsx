import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type ProviderBinding } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { goToProvider } from '../../../lib/sign-in/third-party.ts'
import { useBindingMessages } from './binding-messages.ts'
import classes from './bindings.module.css'

const Row = ({ binding }: { binding: ProviderBinding }) => {
  const say = useBindingMessages()
  const { slug, provider, enabled, name, created_time, removable } = binding
  const isLinked = created_time > 0
  const [asking, setAsking] = useState(false)
  const going = useAction(goToProvider)
  const unbind = useAction(calls.unbindProvider, {
    refresh: [calls.listProviderBindings, calls.listBindings],
    done: say('unbindDone'),
  })
  return (
    <li>
      <div className={classes.what}>
        <strong>{provider}</strong>
        {isLinked ? (
          <>
            <p className={classes.name}>{name}</p>
            <p className="faint">
              {say('since')} <TimeText at={created_time} />
              {!removable && <span className={classes.only}>{say('only')}</span>}
            </p>
          </>
        ) : (
          <p className="faint">{say('unbound')}</p>
        )}
      </div>
      {enabled && (
        <Button
          aria-label={say(isLinked ? 'changeNamed' : 'bindNamed', { name: provider })}
          loading={going.busy}
          onClick={() => void going.run(slug, 'bind')}
        >
          {say(isLinked ? 'change' : 'bind')}
        </Button>
      )}
      {isLinked && (
        <Hint label={say(removable ? 'unbindNamed' : 'last', { name: provider })} multiline maw={260}>
          <span>
            <ActionIcon
              aria-label={say('unbindNamed', { name: provider })}
              disabled={!removable}
              onClick={() => setAsking(true)}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </span>
        </Hint>
      )}
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('unbindTitle', { provider, name })}
        effect={say('unbindEffect')}
        confirmLabel={say('unbind')}
        onConfirm={() => unbind.submit({ params: { slug } })}
        danger
      />
    </li>
  )
}

/** Accounts of identity providers, of the site and of the own organisations. */
export const ProviderBindings = () =>
  useEndpoint(calls.listProviderBindings).data?.map((binding) => <Row key={binding.slug} binding={binding} />)
