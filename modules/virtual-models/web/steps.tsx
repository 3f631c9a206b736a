import { ActionIcon, Autocomplete, Button, NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { newStep, newTarget, type RouteValues, type StepValues } from './fields.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

export type RouteForm = UseFormReturnType<RouteValues>

interface TargetProps {
  readonly form: RouteForm
  /** Of the target among the form's values, e.g. `steps.0.targets.1`. */
  readonly path: string
  readonly models: readonly string[]
  readonly name: string
  readonly onRemove: (() => void) | undefined
}

const Target = ({ form, path, models, name, onRemove }: TargetProps) => {
  const say = useRouteMessages()
  const [open, setOpen] = useState(false)
  return (
    <div className={classes.target}>
      <Autocomplete
        className={classes.model}
        label={say('model')}
        data={[...models]}
        limit={50}
        {...form.getInputProps(`${path}.model`)}
      />
      <NumberInput
        className={classes.weight}
        label={say('weight')}
        min={1}
        max={1000}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps(`${path}.weight`)}
      />
      <ActionIcon
        variant="subtle"
        aria-label={say('more')}
        aria-expanded={open}
        onClick={() => setOpen((before) => !before)}
      >
        <Icon name={open ? 'up' : 'down'} size={16} />
      </ActionIcon>
      {onRemove && (
        <ActionIcon variant="subtle" aria-label={say('removeTarget', { model: name })} onClick={onRemove}>
          <Icon name="trash" size={16} />
        </ActionIcon>
      )}
      {open && (
        <div className={classes.more}>
          <TextInput label={say('channels')} {...form.getInputProps(`${path}.channels`)} />
          <TextInput label={say('tag')} {...form.getInputProps(`${path}.tag`)} />
          <TextInput type="date" label={say('from')} {...form.getInputProps(`${path}.from`)} />
          <TextInput type="date" label={say('until')} {...form.getInputProps(`${path}.until`)} />
        </div>
      )}
    </div>
  )
}

interface StepsProps {
  readonly form: RouteForm
  /** Of the steps among the form's values, e.g. `rules.0.steps`. */
  readonly path: string
  readonly steps: readonly StepValues[]
  readonly models: readonly string[]
}

/** Models in order: each step with the models that share its calls. */
export const Steps = ({ form, path, steps, models }: StepsProps) => {
  const say = useRouteMessages()
  const removeAt = (step: number, target: number): void => {
    if (steps[step]?.targets.length === 1) form.removeListItem(path, step)
    else form.removeListItem(`${path}.${step}.targets`, target)
  }
  const isOnly = steps.length === 1 && steps[0]?.targets.length === 1
  return (
    <div className={classes.steps}>
      {steps.map(({ key, targets }, step) => (
        <fieldset key={key} className={classes.step}>
          <legend>{say('step', { number: step + 1 })}</legend>
          {targets.map((target, index) => (
            <Target
              key={target.key}
              form={form}
              path={`${path}.${step}.targets.${index}`}
              models={models}
              name={target.model}
              onRemove={isOnly ? undefined : () => removeAt(step, index)}
            />
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => form.insertListItem(`${path}.${step}.targets`, newTarget())}
          >
            {say('addTarget')}
          </Button>
        </fieldset>
      ))}
      <Button
        size="compact-sm"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => form.insertListItem(path, newStep())}
      >
        {say('addStep')}
      </Button>
    </div>
  )
}
