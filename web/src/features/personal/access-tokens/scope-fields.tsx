import { NativeSelect } from '@mantine/core'
import { type PermissionLevel, permits, type StaffArea, staffAreas } from '@tollgate/contract/accounts/permissions'
import { type OwnArea, ownAreas, type Scope } from '@tollgate/contract/accounts/scopes'
import { usePermissionMessages } from '../../../components/permissions/messages.ts'
import { role } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useNamedTokenMessages } from './messages.ts'
import classes from './scope-fields.module.css'

export type Levels = Partial<Record<OwnArea | StaffArea, PermissionLevel>>

/** The scopes of levels by area. */
export const scopesOf = (levels: Levels): Scope[] =>
  [...ownAreas, ...staffAreas].flatMap((area): Scope[] => {
    const level = levels[area]
    return level === undefined ? [] : [`${area}:${level}`]
  })

interface FieldProps {
  label: string
  level: PermissionLevel | undefined
  /** Levels that the viewer has. */
  offered: readonly PermissionLevel[]
  onChange: (level: PermissionLevel | undefined) => void
}

const LevelField = ({ label, level, offered, onChange }: FieldProps) => {
  const say = usePermissionMessages()
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: say('none') }, ...offered.map((value) => ({ value, label: say(value) }))]}
      value={level ?? ''}
      onChange={({ currentTarget }) => onChange(offered.find((one) => one === currentTarget.value))}
    />
  )
}

interface ScopeFieldsProps {
  levels: Levels
  onChange: (levels: Levels) => void
}

const bothLevels: readonly PermissionLevel[] = ['read', 'write']

/** A level for each area that the viewer may see: the own things, and what administrators look after. */
export const ScopeFields = ({ levels, onChange }: ScopeFieldsProps) => {
  const say = useNamedTokenMessages()
  const sayArea = usePermissionMessages()
  const viewer = useSession()
  const isAdmin = (viewer?.role ?? 0) >= role.admin
  const limits = viewer?.role === role.admin ? viewer.permissions?.areas : undefined
  const set = (area: OwnArea | StaffArea, level: PermissionLevel | undefined): void => {
    const { [area]: _, ...others } = levels
    onChange(level === undefined ? others : { ...others, [area]: level })
  }
  const offeredIn = (area: StaffArea): PermissionLevel[] =>
    bothLevels.filter((level) => isAdmin && permits(limits, area, level))
  const open = staffAreas.filter((area) => offeredIn(area).length > 0)
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{say('mine')}</legend>
        {ownAreas.map((area) => (
          <LevelField
            key={area}
            label={sayArea(area)}
            level={levels[area]}
            offered={bothLevels}
            onChange={(level) => set(area, level)}
          />
        ))}
      </fieldset>
      {open.length > 0 && (
        <fieldset className={classes.group}>
          <legend>{say('administration')}</legend>
          {open.map((area) => (
            <LevelField
              key={area}
              label={sayArea(`area_${area}`)}
              level={levels[area]}
              offered={offeredIn(area)}
              onChange={(level) => set(area, level)}
            />
          ))}
          {viewer?.role === role.root && <p className={classes.note}>{say('rootHint')}</p>}
        </fieldset>
      )}
    </>
  )
}
