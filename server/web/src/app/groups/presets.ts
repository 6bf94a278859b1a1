// Voluntary questions that many organizations ask, with the categories that reports require.
import { text } from '../../shared/i18n.tsx'

export const presets = ['sex', 'age', 'race'] as const
export type Preset = (typeof presets)[number]

interface Content {
  id: string
  text: string
  options: { id: string; text: string }[]
}

/** presetOf returns a question with its answers. Those for race and ethnicity are the categories of EEO-1. */
export function presetOf(preset: Preset): Content {
  switch (preset) {
    case 'sex':
      return {
        id: 'sex',
        text: text('groups.preset.sex.text'),
        options: [
          { id: 'female', text: text('groups.preset.female') },
          { id: 'male', text: text('groups.preset.male') },
          { id: 'another', text: text('groups.preset.another') },
        ],
      }
    case 'age':
      return {
        id: 'age',
        text: text('groups.preset.age.text'),
        options: [
          { id: 'under-40', text: text('groups.preset.under40') },
          { id: '40-or-older', text: text('groups.preset.from40') },
        ],
      }
    case 'race':
      return {
        id: 'race-ethnicity',
        text: text('groups.preset.race.text'),
        options: [
          { id: 'hispanic', text: text('groups.preset.hispanic') },
          { id: 'white', text: text('groups.preset.white') },
          { id: 'black', text: text('groups.preset.black') },
          { id: 'asian', text: text('groups.preset.asian') },
          { id: 'pacific', text: text('groups.preset.pacific') },
          { id: 'native', text: text('groups.preset.native') },
          { id: 'two-or-more', text: text('groups.preset.two') },
        ],
      }
  }
}
