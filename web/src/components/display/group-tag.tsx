import classes from './group-tag.module.css'

/** Tone of a ratio: above 5 red, above 3 orange, above 1 blue, otherwise green. */
export const ratioTone = (ratio: number): 'bad' | 'warn' | 'info' | 'good' =>
  ratio > 5 ? 'bad' : ratio > 3 ? 'warn' : ratio > 1 ? 'info' : 'good'

/** A group's name, with its ratio where it is known. */
export const GroupTag = ({ name, ratio }: { name: string; ratio?: number }) => (
  <span className={classes.tag}>
    {name}
    {ratio !== undefined && (
      <span className={`num ${classes.ratio}`} data-tone={ratioTone(ratio)}>
        ×{ratio}
      </span>
    )}
  </span>
)

/** A comma list of groups as tags, in order of name. */
export const GroupTags = ({ groups }: { groups: string }) => (
  <span className={classes.tags}>
    {groups
      .split(',')
      .map((group) => group.trim())
      .filter(Boolean)
      .toSorted()
      .map((group) => (
        <GroupTag key={group} name={group} />
      ))}
  </span>
)
