//! Tantivy beside the library of documents: docsearch-bench index INDEX CORPUS THREADS COMMIT | query INDEX FOLDER ROUNDS
//!
//! Indexing reads {"id", "title", "text"} a line, with English stop words and stems, positions and stored text, and commits every COMMIT documents
//! (0: at the end). Queries are read from phrase.jsonl, all.jsonl and any.jsonl; printed are "tier round number microseconds hits" a query, the ten
//! best documents with their ids. Hits are counted up to ten: tantivy skips what cannot be among the best.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, Value, STORED, STRING};
use tantivy::tokenizer::{Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer};
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

type Done = Result<(), Box<dyn Error>>;

#[derive(Deserialize)]
struct Line {
    #[serde(alias = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

fn main() -> Done {
    let args: Vec<String> = std::env::args().collect();
    match args[1].as_str() {
        "index" => index(&args[2], &args[3], args[4].parse()?, args[5].parse()?),
        "query" => query(&args[2], &args[3], args[4].parse()?),
        other => Err(format!("no such word: {other}").into()),
    }
}

/// The words of Lucene's English analyser, as near as tantivy's own parts come to it.
fn english() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(255))
        .filter(LowerCaser)
        .filter(StopWordFilter::new(Language::English).expect("tantivy has English stop words"))
        .filter(Stemmer::new(Language::English))
        .build()
}

fn index(dir: &str, corpus: &str, threads: usize, commit: usize) -> Done {
    let mut schema = Schema::builder();
    let words = TextFieldIndexing::default().set_tokenizer("english").set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text = TextOptions::default().set_indexing_options(words).set_stored();
    let id = schema.add_text_field("id", STRING | STORED);
    let title = schema.add_text_field("title", text.clone());
    let body = schema.add_text_field("text", text);
    std::fs::create_dir_all(dir)?;
    let index = Index::create_in_dir(dir, schema.build())?;
    index.tokenizers().register("english", english());
    let mut writer: IndexWriter = index.writer_with_num_threads(threads, threads * 64_000_000)?;
    for (i, line) in BufReader::with_capacity(1 << 20, File::open(corpus)?).lines().enumerate() {
        let l: Line = serde_json::from_str(&line?)?;
        let mut d = TantivyDocument::new();
        d.add_text(id, &l.id);
        d.add_text(title, &l.title);
        d.add_text(body, &l.text);
        writer.add_document(d)?;
        if commit > 0 && (i + 1) % commit == 0 {
            writer.commit()?;
        }
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

/// The terms of a text with their places.
fn terms(analyzer: &mut TextAnalyzer, field: Field, text: &str) -> Vec<(usize, Term)> {
    let mut out = Vec::new();
    analyzer.token_stream(text).process(&mut |t| out.push((t.position, Term::from_field_text(field, &t.text))));
    out
}

fn query(dir: &str, folder: &str, rounds: usize) -> Done {
    let index = Index::open_in_dir(dir)?;
    index.tokenizers().register("english", english());
    let field = index.schema().get_field("text")?;
    let id = index.schema().get_field("id")?;
    let searcher = index.reader()?.searcher();
    let mut analyzer = english();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for tier in ["phrase", "all", "any"] {
        let mut queries: Vec<Line> = Vec::new();
        for line in BufReader::new(File::open(Path::new(folder).join(format!("{tier}.jsonl")))?).lines() {
            queries.push(serde_json::from_str(&line?)?);
        }
        for round in 0..=rounds {
            for (i, line) in queries.iter().enumerate() {
                let began = Instant::now();
                let words = terms(&mut analyzer, field, &line.text);
                let occur = if tier == "all" { Occur::Must } else { Occur::Should };
                let query: Box<dyn Query> = if tier == "phrase" && words.len() > 1 {
                    Box::new(PhraseQuery::new_with_offset(words))
                } else {
                    let parts = words.into_iter().map(|(_, t)| {
                        (occur, Box::new(TermQuery::new(t, IndexRecordOption::WithFreqs)) as Box<dyn Query>)
                    });
                    Box::new(BooleanQuery::new(parts.collect()))
                };
                let top = searcher.search(&query, &TopDocs::with_limit(10).order_by_score())?;
                for (_, at) in &top {
                    let d: TantivyDocument = searcher.doc(*at)?;
                    d.get_first(id).and_then(|v| v.as_str()).ok_or("a document without id")?;
                }
                let took = began.elapsed().as_secs_f64() * 1e6;
                writeln!(out, "{tier} {round} {i} {took:.1} {}", top.len())?;
            }
        }
    }
    Ok(())
}
