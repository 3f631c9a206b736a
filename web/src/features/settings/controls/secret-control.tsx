import { PasswordInput } from '@mantine/core'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import classes from '../settings.module.css'
import { useControl } from './control.ts'
import controlsClasses from './controls.module.css'

/** A secret can only be written: the field shows whether one is stored; replacing and removing are separate actions. */
export const SecretControl = () => {
  const { label, help, error, writable, edit, leave, say, draft, isStored: stored } = useControl()
  const removing = draft === '' && stored
  return (
    <div className={classes.secret}>
      <PasswordInput
        label={
          <span className={controlsClasses.secretLabel}>
            {label}
            <StatusBadge tone={stored ? 'good' : 'neutral'} label={say(stored ? 'secretStored' : 'secretNone')} />
          </span>
        }
        aria-label={label}
        description={help}
        error={error}
        placeholder={say(stored ? 'secretKeep' : 'secretEnter')}
        value={draft ?? ''}
        onChange={(event) => edit(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        onBlur={leave}
        readOnly={!writable}
        disabled={removing}
        autoComplete="new-password"
        spellCheck={false}
      />
      {stored && writable && (
        <p className={controlsClasses.secretAct}>
          {removing && <span className={controlsClasses.warning}>{say('secretClearing')}</span>}
          <button type="button" className="text-button" onClick={() => edit(removing ? undefined : '')}>
            {say(removing ? 'secretKeepStored' : 'secretClear')}
          </button>
        </p>
      )}
    </div>
  )
}
