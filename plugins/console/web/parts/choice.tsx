import {useId} from 'preact/hooks';

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** One of a few. A value that is none of the options, as a link may hold it, becomes one. */
export function Choice({label, value, options, onChange}: ChoiceProps) {
  const id = useId();
  const known = options.some(option => option.value === value);
  const all = known ? options : [...options, {value, text: value}];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={event => onChange(event.currentTarget.value)}>
        {all.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({label, isOn, onChange}: SwitchProps) {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={event => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
