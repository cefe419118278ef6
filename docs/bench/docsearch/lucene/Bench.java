import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Lucene beside the library of documents: Bench index INDEX CORPUS THREADS COMMIT | query INDEX FOLDER ROUNDS EXACT | run INDEX QUERIES LIMIT OUT.
 *
 * <p>Indexing reads {"id" or "_id", "title", "text"} a line, with the standard English analyser, positions and stored text, and commits every COMMIT documents
 * (0: at the end). Queries are read from phrase.jsonl, all.jsonl and any.jsonl; printed are "tier round number microseconds hits" a query, the
 * ten best documents with their ids. With EXACT 1 all matches are counted, else Lucene may stop at 1,000.
 */
public final class Bench {
  private static final class Line {
    String id;
    String _id;
    String title;
    String text;

    String name() {
      return id != null ? id : _id;
    }
  }

  private static final int BLOCK = 200; // documents handed to a thread at once

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "index" -> index(Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
      case "query" -> query(Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]), args[4].equals("1"));
      case "run" -> run(Path.of(args[1]), Path.of(args[2]), Integer.parseInt(args[3]), Path.of(args[4]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void index(Path index, Path corpus, int threads, int commit) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
    config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    config.setSimilarity(new BM25Similarity());
    try (Directory dir = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(dir, config);
        BufferedReader in = Files.newBufferedReader(corpus)) {
      var pool = Executors.newFixedThreadPool(threads);
      List<Future<?>> waiting = new ArrayList<>();
      int since = 0;
      for (boolean more = true; more; ) {
        List<String> block = new ArrayList<>();
        while (block.size() < BLOCK) {
          String line = in.readLine();
          if (line == null) {
            more = false;
            break;
          }
          block.add(line);
        }
        waiting.add(pool.submit(() -> add(writer, block)));
        since += block.size();
        while (waiting.size() > (commit > 0 && since >= commit ? 0 : threads)) {
          waiting.remove(0).get();
        }
        if (commit > 0 && since >= commit) {
          writer.commit();
          since = 0;
        }
      }
      for (Future<?> f : waiting) {
        f.get();
      }
      pool.shutdown();
      writer.commit();
    }
  }

  private static Void add(IndexWriter writer, List<String> lines) throws IOException {
    Gson gson = new Gson();
    for (String line : lines) {
      Line l = gson.fromJson(line, Line.class);
      Document d = new Document();
      d.add(new StringField("id", l.name(), Field.Store.YES));
      d.add(new TextField("title", l.title, Field.Store.YES));
      d.add(new TextField("text", l.text, Field.Store.YES));
      // Judgements are about both; one field of them is what rankings are compared on.
      if (l._id != null) {
        d.add(new TextField("both", l.title + "\n\n" + l.text, Field.Store.NO));
      }
      writer.addDocument(d);
    }
    return null;
  }

  private static List<Line> lines(Path path) throws IOException {
    Gson gson = new Gson();
    List<Line> out = new ArrayList<>();
    for (String line : Files.readAllLines(path)) {
      out.add(gson.fromJson(line, Line.class));
    }
    return out;
  }

  private static void query(Path index, Path folder, int rounds, boolean exact) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(index))) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      Analyzer analyzer = new EnglishAnalyzer();
      QueryBuilder builder = new QueryBuilder(analyzer);
      for (String tier : new String[] {"phrase", "all", "any"}) {
        List<Line> queries = lines(folder.resolve(tier + ".jsonl"));
        for (int round = 0; round <= rounds; round++) {
          for (int i = 0; i < queries.size(); i++) {
            String text = queries.get(i).text;
            long began = System.nanoTime();
            Query q =
                switch (tier) {
                  case "phrase" -> builder.createPhraseQuery("text", text);
                  case "all" -> builder.createBooleanQuery("text", text, BooleanClause.Occur.MUST);
                  default -> builder.createBooleanQuery("text", text, BooleanClause.Occur.SHOULD);
                };
            TopDocs top = searcher.search(q, new TopScoreDocCollectorManager(10, exact ? Integer.MAX_VALUE : 1000));
            StoredFields fields = searcher.storedFields();
            for (ScoreDoc d : top.scoreDocs) {
              fields.document(d.doc, java.util.Set.of("id")).get("id");
            }
            long took = System.nanoTime() - began;
            System.out.printf(Locale.ROOT, "%s %d %d %.1f %d%n", tier, round, i, took / 1e3, top.totalHits.value);
          }
        }
      }
    }
  }

  private static void run(Path index, Path queries, int limit, Path out) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(index));
        BufferedWriter w = Files.newBufferedWriter(out, StandardCharsets.UTF_8)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      QueryBuilder builder = new QueryBuilder(new EnglishAnalyzer());
      for (Line l : lines(queries)) {
        Query q = builder.createBooleanQuery("both", l.text, BooleanClause.Occur.SHOULD);
        if (q == null) {
          continue;
        }
        int rank = 0;
        for (ScoreDoc d : searcher.search(q, limit).scoreDocs) {
          String id = searcher.storedFields().document(d.doc).get("id");
          w.write(String.format(Locale.ROOT, "%s Q0 %s %d %.6f lucene%n", l.name(), id, ++rank, d.score));
        }
      }
    }
  }
}
