import { Button, MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { Icon } from '#web/components/display/icon.tsx'
import { newRule, type RuleValues } from './fields.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'
import { type RouteForm, Steps } from './steps.tsx'

interface RuleProps {
  readonly form: RouteForm
  readonly index: number
  readonly rule: RuleValues
  readonly models: readonly string[]
  readonly groups: readonly string[]
}

const Rule = ({ form, index, rule, models, groups }: RuleProps) => {
  const say = useRouteMessages()
  const path = `rules.${index}`
  const choices = [
    { value: '', label: say('any') },
    { value: 'true', label: say('with') },
    { value: 'false', label: say('without') },
  ]
  return (
    <fieldset className={classes.rule}>
      <legend>{rule.name || say('ruleList')}</legend>
      <div className={classes.conditions}>
        <TextInput label={say('ruleName')} {...form.getInputProps(`${path}.name`)} />
        <MultiSelect label={say('whenGroups')} data={[...groups]} {...form.getInputProps(`${path}.groups`)} />
        <NumberInput
          label={say('promptFrom')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps(`${path}.promptFrom`)}
        />
        <NumberInput
          label={say('promptBelow')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps(`${path}.promptBelow`)}
        />
        <NativeSelect label={say('whenTools')} data={choices} {...form.getInputProps(`${path}.tools`)} />
        <NativeSelect label={say('whenPictures')} data={choices} {...form.getInputProps(`${path}.pictures`)} />
        <NativeSelect label={say('whenStream')} data={choices} {...form.getInputProps(`${path}.stream`)} />
        <TextInput label={say('whenKeys')} {...form.getInputProps(`${path}.keys`)} />
        <TextInput label={say('whenTeams')} {...form.getInputProps(`${path}.teams`)} />
        <TextInput label={say('whenTags')} {...form.getInputProps(`${path}.tags`)} />
        <TextInput label={say('whenHeader')} {...form.getInputProps(`${path}.header`)} />
        <TextInput label={say('whenHeaderValues')} {...form.getInputProps(`${path}.headerValues`)} />
        <TextInput label={say('hoursFrom')} {...form.getInputProps(`${path}.hoursFrom`)} />
        <TextInput label={say('hoursUntil')} {...form.getInputProps(`${path}.hoursUntil`)} />
      </div>
      <Steps form={form} path={`${path}.steps`} steps={rule.steps} models={models} />
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon name="trash" size={12} />}
        onClick={() => form.removeListItem('rules', index)}
      >
        {say('removeRule', { name: rule.name })}
      </Button>
    </fieldset>
  )
}

type RulesProps = Omit<RuleProps, 'index' | 'rule'> & { readonly rules: readonly RuleValues[] }

/** Which calls take another way; the first rule that holds counts. */
export const Rules = ({ form, rules, models, groups }: RulesProps) => {
  const say = useRouteMessages()
  return (
    <section className={classes.part} aria-label={say('ruleList')}>
      <h3>{say('ruleList')}</h3>
      <p className="faint">{say('rulesHint')}</p>
      {rules.map((rule, index) => (
        <Rule key={rule.key} form={form} index={index} rule={rule} models={models} groups={groups} />
      ))}
      <Button
        size="compact-sm"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => form.insertListItem('rules', newRule())}
      >
        {say('addRule')}
      </Button>
    </section>
  )
}
