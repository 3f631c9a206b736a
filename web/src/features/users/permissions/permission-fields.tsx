import { NativeSelect } from '@mantine/core'
import {
  type PermissionLevel,
  readySetNames,
  type StaffArea,
  staffAreas,
} from '@tollgate/contract/accounts/permissions'
import { readySets } from '@tollgate/contract/accounts/ready-sets'
import { usePermissionMessages } from '../../../components/permissions/messages.ts'
import type { StaffPermissions } from '../../../lib/api/contract.ts'
import classes from './permissions.module.css'

type Level = PermissionLevel | 'none'

const choices = ['all', ...readySetNames, 'custom'] as const
type Choice = (typeof choices)[number]

interface PermissionFieldsProps {
  /** null for everything that administrators may. */
  value: StaffPermissions | null
  onChange: (value: StaffPermissions | null) => void
}

/** Permissions of an administrator: everything, a ready set, or a level for each area. */
export const PermissionFields = ({ value, onChange }: PermissionFieldsProps) => {
  const say = usePermissionMessages()
  const levels: Record<Level, string> = { none: say('none'), read: say('read'), write: say('write') }
  const levelOf = (area: StaffArea): Level => value?.areas[area] ?? 'none'

  const choose = (choice: Choice): void => {
    if (choice === 'all') onChange(null)
    // An own choice begins with the areas that were chosen before.
    else if (choice === 'custom') onChange({ set: 'custom', areas: value?.areas ?? {} })
    else onChange({ set: choice, areas: readySets[choice] })
  }
  const setLevel = (area: StaffArea, level: Level): void => {
    const { [area]: _, ...others } = value?.areas ?? {}
    onChange({ set: 'custom', areas: level === 'none' ? others : { ...others, [area]: level } })
  }
  return (
    <>
      <NativeSelect
        label={say('label')}
        description={say(`about_${value?.set ?? 'all'}`)}
        data={choices.map((choice) => ({ value: choice, label: say(`set_${choice}`) }))}
        value={value?.set ?? 'all'}
        onChange={({ currentTarget }) => choose(choices.find((one) => one === currentTarget.value) ?? 'all')}
      />
      {value !== null && (
        <div className={classes.areas}>
          {staffAreas.map((area) =>
            value.set === 'custom' ? (
              <NativeSelect
                key={area}
                label={say(`area_${area}`)}
                data={Object.entries(levels).map(([level, label]) => ({ value: level, label }))}
                value={levelOf(area)}
                onChange={({ currentTarget }) => setLevel(area, currentTarget.value as Level)}
              />
            ) : (
              <p key={area} className={classes.area} data-closed={levelOf(area) === 'none' || undefined}>
                {say(`area_${area}`)} <span>{levels[levelOf(area)]}</span>
              </p>
            ),
          )}
        </div>
      )}
    </>
  )
}
