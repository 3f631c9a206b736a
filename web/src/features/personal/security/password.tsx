import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useLocation } from '@tanstack/react-router'
import { longestPassword, shortestPassword } from '@tollgate/contract/accounts/account-rules'
import { useEffect, useRef } from 'react'
import { UnsavedGuard } from '../../../components/form/unsaved-guard.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { call } from '../../../lib/api/api.ts'
import { type BodyInputOf, calls, type updateSelf } from '../../../lib/api/contract.ts'
import { storedUser, storeUser, useSession } from '../../../lib/api/session.ts'
import { changeSession } from '../../../lib/loading/hold-reads.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { usePersonalMessages } from '../messages.ts'
import classes from '../personal.module.css'

/** The form's first field takes the focus when a link leads to it. */
const useArrival = () => {
  const form = useRef<HTMLFormElement>(null)
  const location = useLocation()
  useEffect(() => {
    if (location.hash === 'password') form.current?.querySelector('input')?.focus()
  }, [location])
  return form
}

const empty = { original_password: '', password: '', repeated: '' }

/**
 * Changes the password; requires the current one, so that an open browser is not enough. Accounts made by a third-party
 * sign-in set their first password.
 */
export const Password = () => {
  const say = usePersonalMessages()
  const element = useArrival()
  const usesDefault = useSession()?.default_password === true
  const isFirst = useEndpoint(calls.getConfirmation).data?.has_password === false
  const change = useAction(
    (body: BodyInputOf<typeof updateSelf>) => changeSession(() => call(calls.updateSelf, { body })),
    {
      done: say('passwordChanged'),
      refresh: [calls.getConfirmation, calls.listBindings],
      onDone: () => {
        form.reset()
        const user = storedUser()
        if (user) storeUser({ ...user, default_password: false })
      },
    },
  )
  const form = useForm({
    initialValues: empty,
    validate: {
      original_password: (text) => (text === '' && !isFirst ? say('passwordMissing') : null),
      password: (text) =>
        text.length < shortestPassword
          ? say('passwordShort')
          : text.length > longestPassword
            ? say('passwordLong')
            : null,
      repeated: (text, values) => (text === values.password ? null : say('passwordDiffers')),
    },
  })
  return (
    <Section id="password" title={say('security')}>
      {usesDefault && <p className={classes.warning}>{say('passwordDefault')}</p>}
      <form
        ref={element}
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(
          ({ original_password, password }) =>
            void change.run(isFirst ? { password } : { original_password, password }),
        )}
      >
        {isFirst ? (
          <p className="muted">{say('passwordFirst')}</p>
        ) : (
          <PasswordInput
            label={say('currentPassword')}
            autoComplete="current-password"
            {...form.getInputProps('original_password')}
          />
        )}
        <PasswordInput
          label={say('newPassword')}
          description={say('passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordInput label={say('repeatPassword')} autoComplete="new-password" {...form.getInputProps('repeated')} />
        <Button type="submit" variant="filled" loading={change.busy}>
          {say(isFirst ? 'setPassword' : 'changePassword')}
        </Button>
        <UnsavedGuard dirty={form.isDirty()} />
      </form>
    </Section>
  )
}
